package tallyho.vassal;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Where the program runs that this user has started, and the token for it: as its instance file says. */
final class Program {
  static final String HOST = "127.0.0.1";

  final int port;
  private final String token;

  private Program(int port, String token) {
    this.port = port;
    this.token = token;
  }

  /** Nothing to talk to, with the remedy. */
  static final class NotThere extends IOException {
    private static final long serialVersionUID = 1L;

    NotThere(String message) {
      super(message);
    }
  }

  /** The instance file: {@code TALLYHO_HOME}, or the folders of the system. */
  static Path instanceFile() {
    final String home = System.getenv("TALLYHO_HOME");
    if (home != null && !home.isEmpty()) {
      return Paths.get(home, "instance.json");
    }
    final String local = System.getenv("LOCALAPPDATA");
    if (System.getProperty("os.name", "").startsWith("Windows") && local != null) {
      return Paths.get(local, "tallyho", "instance.json");
    }
    final String state = System.getenv("XDG_STATE_HOME");
    // The system's own idea of the home folder; `user.home` may be set otherwise for Vassal alone.
    final String user = System.getenv("HOME");
    final Path base = state != null && Paths.get(state).isAbsolute()
      ? Paths.get(state) : Paths.get(user == null ? System.getProperty("user.home") : user, ".local", "state");
    return base.resolve("tallyho").resolve("instance.json");
  }

  /** Looks for the program. The token is sent to nobody who does not know it: see {@link #prove}. */
  static Program find() throws IOException {
    final Path file = instanceFile();
    if (!Files.exists(file)) {
      throw new NotThere("start it with `tallyho serve`");
    }
    final Object instance = read(file);
    final int port = (int) Json.number(instance, "port", 0);
    final Path tokens = Paths.get(Json.text(instance, "tokenFile"));
    if (port <= 0 || port > 65535 || !Files.isRegularFile(tokens)) {
      throw new NotThere(file + " does not say where it runs; start it again");
    }
    final String token = Json.text(read(tokens), "table");
    if (token.isEmpty()) {
      throw new NotThere(tokens + " has no table token; delete it and start the program again");
    }
    return new Program(port, token);
  }

  private static Object read(Path file) throws IOException {
    try {
      return Json.read(Files.readString(file));
    }
    catch (Json.Malformed e) {
      throw new NotThere(file + " cannot be read (" + e.getMessage() + ")");
    }
  }

  /** The token, once the program has shown that it knows it. */
  String prove() throws IOException {
    final byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    final String nonce = hex(random);
    final URL url = new URL("http", HOST, port, "/health?nonce=" + nonce);
    final HttpURLConnection health = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    health.setConnectTimeout(3000);
    health.setReadTimeout(3000);
    try (InputStream in = health.getInputStream()) {
      final String text = new String(in.readNBytes(4096), StandardCharsets.UTF_8);
      final String proof = Json.text(Json.read(text), "proof");
      final Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      final String own = hex(mac.doFinal(nonce.getBytes(StandardCharsets.UTF_8)));
      if (!MessageDigest.isEqual(own.getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8))) {
        throw new NotThere("something else answers on port " + port + "; start it again with `tallyho serve`");
      }
      return token;
    }
    catch (Json.Malformed e) {
      throw new NotThere("something else answers on port " + port + "; start it again with `tallyho serve`");
    }
    catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    finally {
      health.disconnect();
    }
  }

  private static String hex(byte[] bytes) {
    final StringBuilder hex = new StringBuilder();
    for (final byte octet : bytes) {
      hex.append(String.format("%02x", octet));
    }
    return hex.toString();
  }
}
