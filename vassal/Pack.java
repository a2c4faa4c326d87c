import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * {@code java Pack.java OUTPUT SOURCES FOLDER...}: packs the files of the folders, the same bytes each time: in order, not
 * compressed, all of one date. An entry {@code sources} lists the digests of the source files that they were made from.
 */
final class Pack {
  public static void main(String[] arguments) throws IOException, NoSuchAlgorithmException {
    final Map<String, byte[]> entries = new TreeMap<>();
    for (int i = 2; i < arguments.length; ++i) {
      entries.putAll(files(Paths.get(arguments[i])));
    }
    entries.put("sources", sources(Paths.get(arguments[1])).getBytes(StandardCharsets.UTF_8));
    try (OutputStream file = Files.newOutputStream(Paths.get(arguments[0])); ZipOutputStream zip = new ZipOutputStream(file)) {
      zip.setMethod(ZipOutputStream.STORED);
      for (final Map.Entry<String, byte[]> entry : entries.entrySet()) {
        final byte[] bytes = entry.getValue();
        final CRC32 sum = new CRC32();
        sum.update(bytes);
        final ZipEntry packed = new ZipEntry(entry.getKey());
        packed.setTimeLocal(LocalDateTime.of(2020, 1, 1, 0, 0));
        packed.setSize(bytes.length);
        packed.setCompressedSize(bytes.length);
        packed.setCrc(sum.getValue());
        zip.putNextEntry(packed);
        zip.write(bytes);
        zip.closeEntry();
      }
    }
  }

  private static Map<String, byte[]> files(Path folder) throws IOException {
    final Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      for (final Path file : walk.filter(Files::isRegularFile).collect(Collectors.toList())) {
        files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private static String sources(Path folder) throws IOException, NoSuchAlgorithmException {
    final StringBuilder list = new StringBuilder();
    for (final Map.Entry<String, byte[]> file : files(folder).entrySet()) {
      for (final byte octet : MessageDigest.getInstance("SHA-256").digest(file.getValue())) {
        list.append(String.format("%02x", octet));
      }
      list.append("  ").append(file.getKey()).append('\n');
    }
    return list.toString();
  }
}
