package tallyho.vassal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;

/**
 * The client's end of a WebSocket (RFC 6455) on a plain socket: the Java that comes with Vassal may lack the library's own.
 * One thread receives; any thread may send.
 */
final class WebSocket implements Closeable {
  static final int NORMAL = 1000;
  static final int BROKEN = 1002;
  static final int NOT_TEXT = 1003;
  static final int NO_UTF8 = 1007;
  static final int TOO_LONG = 1009;
  /** No status was given; never on the wire. */
  static final int NONE = 1005;

  private static final int CONTINUATION = 0;
  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int LONGEST_HEAD = 16 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final SecureRandom random = new SecureRandom();
  private final int longest;
  private boolean closeSent;

  /** The conversation is over. */
  static final class Closed extends IOException {
    private static final long serialVersionUID = 1L;
    /** Status that the other end gave, or that we gave it. */
    final int status;

    Closed(int status, String reason) {
      super(reason);
      this.status = status;
    }
  }

  /** A message. */
  static final class Message {
    final boolean text;
    final byte[] bytes;

    private Message(boolean text, byte[] bytes) {
      this.text = text;
      this.bytes = bytes;
    }

    @Override
    public String toString() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private WebSocket(Socket socket, int longest) throws IOException {
    this.socket = socket;
    this.longest = longest;
    in = new BufferedInputStream(socket.getInputStream(), 8192);
    out = socket.getOutputStream();
  }

  /**
   * Opens a connection.
   *
   * @param protocol the subprotocol that is wanted; empty if none
   * @param silence after so many ms without a byte the connection counts as lost; 0: never
   * @param longest bytes of the longest message that is taken
   */
  static WebSocket open(String host, int port, String path, String protocol, int silence, int longest) throws IOException {
    final Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), 3000);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(5000);
      final WebSocket opened = new WebSocket(socket, longest);
      opened.shakeHands(host + ":" + port, path, protocol);
      socket.setSoTimeout(silence);
      return opened;
    }
    catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private void shakeHands(String host, String path, String protocol) throws IOException {
    final byte[] nonce = new byte[16];
    random.nextBytes(nonce);
    final String key = Base64.getEncoder().encodeToString(nonce);
    final String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: " + key + "\r\nSec-WebSocket-Version: 13\r\n"
      + (protocol.isEmpty() ? "" : "Sec-WebSocket-Protocol: " + protocol + "\r\n") + "\r\n";
    out.write(request.getBytes(StandardCharsets.US_ASCII));
    out.flush();

    final String[] lines = head().split("\r\n");
    if (!lines[0].matches("HTTP/1\\.1 101( .*)?")) {
      throw new IOException("the server answered `" + lines[0] + "`");
    }
    String upgrade = "";
    String connection = "";
    String accept = "";
    String chosen = "";
    for (final String line : lines) {
      final int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      final String value = line.substring(colon + 1).trim();
      switch (line.substring(0, colon).trim().toLowerCase(Locale.ROOT)) {
        case "upgrade":
          upgrade = value;
          break;
        case "connection":
          connection = value;
          break;
        case "sec-websocket-accept":
          accept = value;
          break;
        case "sec-websocket-protocol":
          chosen = value;
          break;
        case "sec-websocket-extensions":
          throw new IOException("the server uses an extension that nobody asked for");
        default:
      }
    }
    if (!upgrade.equalsIgnoreCase("websocket") || !connection.toLowerCase(Locale.ROOT).contains("upgrade")
        || !accept.equals(proof(key))) {
      throw new IOException("the server does not speak WebSocket");
    }
    if (!chosen.isEmpty() && !chosen.equals(protocol)) {
      throw new IOException("the server speaks `" + chosen + "`");
    }
  }

  private String head() throws IOException {
    final ByteArrayOutputStream head = new ByteArrayOutputStream();
    int newlines = 0;
    while (newlines < 2) {
      final int next = in.read();
      if (next < 0 || head.size() > LONGEST_HEAD) {
        throw new IOException("the server's answer has no end");
      }
      head.write(next);
      newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }

  private static String proof(String key) throws IOException {
    try {
      final MessageDigest digest = MessageDigest.getInstance("SHA-1");
      digest.update((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().encodeToString(digest.digest());
    }
    catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /**
   * Waits for the next message, and answers pings and the close on the way.
   *
   * @throws Closed the other end closed, or was closed because of what it sent
   */
  Message receive() throws IOException {
    try {
      return message();
    }
    catch (Closed e) {
      close(e.status, e.getMessage());
      // The server ends the connection (RFC 6455, 7.1.1); a server that does not is not waited for.
      socket.setSoTimeout(1000);
      try {
        while (in.read() >= 0) {
          continue;
        }
      }
      catch (IOException ignored) {
        // It is over either way.
      }
      socket.close();
      throw e;
    }
  }

  private Message message() throws IOException {
    final ByteArrayOutputStream whole = new ByteArrayOutputStream();
    Utf8 utf8 = null;
    int kind = -1;
    while (true) {
      final int first = octet();
      final int second = octet();
      final boolean last = (first & 0x80) != 0;
      final int opcode = first & 0x0F;
      if ((first & 0x70) != 0) {
        throw new Closed(BROKEN, "reserved bits are set");
      }
      if ((second & 0x80) != 0) {
        throw new Closed(BROKEN, "a server does not mask");
      }
      final long length = length(second & 0x7F);
      if (opcode >= CLOSE) {
        if (!last || length > 125) {
          throw new Closed(BROKEN, "a control frame is long or in pieces");
        }
        control(opcode, exactly((int) length));
        continue;
      }
      if (opcode > BINARY || (opcode == CONTINUATION) != (kind >= 0)) {
        throw new Closed(BROKEN, "a frame does not fit to the one before");
      }
      if (length > longest - whole.size()) {
        throw new Closed(TOO_LONG, "the message is too long");
      }
      if (opcode != CONTINUATION) {
        kind = opcode;
        utf8 = opcode == TEXT ? new Utf8() : null;
      }
      payload((int) length, whole, utf8);
      if (last) {
        if (utf8 != null && !utf8.complete()) {
          throw new Closed(NO_UTF8, "the text is no UTF-8");
        }
        return new Message(kind == TEXT, whole.toByteArray());
      }
    }
  }

  private long length(int seven) throws IOException {
    if (seven < 126) {
      return seven;
    }
    long length = 0;
    for (int i = seven == 126 ? 2 : 8; i > 0; --i) {
      length = length << 8 | octet();
    }
    if (length < 0) {
      throw new Closed(BROKEN, "no such length");
    }
    return length;
  }

  private void payload(int length, ByteArrayOutputStream whole, Utf8 utf8) throws IOException {
    final byte[] chunk = new byte[Math.min(length, 8192)];
    int left = length;
    while (left > 0) {
      // Whatever is there: a text that cannot become UTF-8 any more is refused before its frame is complete.
      final int read = in.read(chunk, 0, Math.min(left, chunk.length));
      if (read < 0) {
        throw new EOFException("the connection was cut");
      }
      if (utf8 != null && !utf8.takes(chunk, read)) {
        throw new Closed(NO_UTF8, "the text is no UTF-8");
      }
      whole.write(chunk, 0, read);
      left -= read;
    }
  }

  private void control(int opcode, byte[] payload) throws IOException {
    if (opcode == PING) {
      frame(PONG, payload);
    }
    else if (opcode == CLOSE) {
      if (payload.length == 0) {
        throw new Closed(NONE, "");
      }
      final Utf8 utf8 = new Utf8();
      final byte[] reason = java.util.Arrays.copyOfRange(payload, Math.min(2, payload.length), payload.length);
      final int status = payload.length < 2 ? 0 : (payload[0] & 0xFF) << 8 | payload[1] & 0xFF;
      if (!isStatus(status)) {
        throw new Closed(BROKEN, "no such status");
      }
      if (!utf8.takes(reason, reason.length) || !utf8.complete()) {
        throw new Closed(NO_UTF8, "the reason is no UTF-8");
      }
      throw new Closed(status, new String(reason, StandardCharsets.UTF_8));
    }
    else if (opcode != PONG) {
      throw new Closed(BROKEN, "no such frame");
    }
  }

  private static boolean isStatus(int status) {
    final boolean registered = status >= 1000 && status <= 1014 && status != 1004 && status != NONE && status != 1006;
    return registered || status >= 3000 && status < 5000;
  }

  private int octet() throws IOException {
    final int octet = in.read();
    if (octet < 0) {
      throw new EOFException("the connection was cut");
    }
    return octet;
  }

  private byte[] exactly(int length) throws IOException {
    final byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the connection was cut");
    }
    return bytes;
  }

  /** Sends a text. */
  void send(String text) throws IOException {
    frame(TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a message as it came. */
  void send(Message message) throws IOException {
    frame(message.text ? TEXT : BINARY, message.bytes);
  }

  private synchronized void frame(int opcode, byte[] payload) throws IOException {
    if (closeSent) {
      return;
    }
    closeSent = opcode == CLOSE;
    final int length = payload.length;
    final ByteArrayOutputStream frame = new ByteArrayOutputStream(length + 14);
    frame.write(0x80 | opcode);
    if (length < 126) {
      frame.write(0x80 | length);
    }
    else {
      final int octets = length < 65536 ? 2 : 8;
      frame.write(0x80 | (octets == 2 ? 126 : 127));
      for (int i = octets - 1; i >= 0; --i) {
        frame.write(i > 3 ? 0 : length >> 8 * i);
      }
    }
    final byte[] mask = new byte[4];
    random.nextBytes(mask);
    frame.write(mask, 0, 4);
    for (int i = 0; i < length; ++i) {
      frame.write(payload[i] ^ mask[i & 3]);
    }
    out.write(frame.toByteArray());
    out.flush();
  }

  /** Says that nothing more comes; the other end's answer ends {@link #receive}. */
  void close(int status, String reason) {
    try {
      final byte[] text = reason.getBytes(StandardCharsets.UTF_8);
      final int length = status == NONE ? 0 : 2 + Math.min(text.length, 123);
      final byte[] payload = new byte[length];
      if (length > 0) {
        payload[0] = (byte) (status >> 8);
        payload[1] = (byte) status;
        System.arraycopy(text, 0, payload, 2, length - 2);
      }
      frame(CLOSE, payload);
    }
    catch (IOException ignored) {
      // There is nobody to say it to.
    }
  }

  /** Cuts the connection. */
  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Whether bytes that come in pieces are UTF-8, told at the first one that cannot be. */
  private static final class Utf8 {
    /** Bytes of the character that are still to come, and what the next one may be. */
    private int missing;
    private int lowest = 0x80;
    private int highest = 0xBF;

    boolean takes(byte[] bytes, int length) {
      for (int i = 0; i < length; ++i) {
        final int octet = bytes[i] & 0xFF;
        if (missing > 0) {
          if (octet < lowest || octet > highest) {
            return false;
          }
          --missing;
          lowest = 0x80;
          highest = 0xBF;
        }
        else if (octet >= 0x80 && !begins(octet)) {
          return false;
        }
      }
      return true;
    }

    private boolean begins(int octet) {
      if (octet < 0xC2 || octet > 0xF4) {
        return false;
      }
      missing = octet < 0xE0 ? 1 : octet < 0xF0 ? 2 : 3;
      // No overlong forms, no halves of pairs, nothing beyond the last character.
      lowest = octet == 0xE0 ? 0xA0 : octet == 0xF0 ? 0x90 : 0x80;
      highest = octet == 0xED ? 0x9F : octet == 0xF4 ? 0x8F : 0xBF;
      return true;
    }

    boolean complete() {
      return missing == 0;
    }
  }
}
