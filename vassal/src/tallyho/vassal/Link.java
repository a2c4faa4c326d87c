package tallyho.vassal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import javax.swing.SwingUtilities;

/**
 * The line to the program: JSON-RPC messages over a WebSocket, opened again whenever it breaks. A session goes on where it
 * was, so that everything arrives, and what arrives twice counts once. All that the table is told comes on the Swing
 * thread, and all methods are called there.
 */
final class Link {
  private static final String PROTOCOL = "tallyho.v1.json";
  private static final int SILENCE = 45_000;
  private static final int LONGEST = 4 * 1024 * 1024;
  private static final int FIRST_WAIT = 500;
  private static final int LONGEST_WAIT = 30_000;
  /** How often a waiting line looks whether the program was started. */
  private static final int LOOK = 250;

  /** What the line tells the table. */
  interface Table {
    /** How the line is; up: messages may be sent. */
    void line(boolean up, String status);

    /** A session begins, or goes on. */
    void session(boolean resumed);

    /** What the table can do. */
    Map<String, Object> capabilities();

    /** A request or notification; a notification has no id. */
    void message(Object id, String method, Object params);
  }

  private final Table table;
  private final String version;
  private final Random jitter = new Random();
  private final Map<String, Request> pending = new LinkedHashMap<>();
  private Thread thread;
  private WebSocket socket;
  private BlockingQueue<String> outbox = new LinkedBlockingQueue<>();
  private long ids;
  private boolean up;
  private String session = "";
  private long lastSeq;

  private static final class Request {
    final String text;
    final BiConsumer<Object, Object> answered;

    Request(String text, BiConsumer<Object, Object> answered) {
      this.text = text;
      this.answered = answered;
    }
  }

  /** Coming back would not help. */
  private static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  Link(Table table, String version) {
    this.table = table;
    this.version = version;
  }

  boolean isUp() {
    return up;
  }

  /** Whether it is open or tries to be. */
  boolean isWanted() {
    return thread != null;
  }

  /** Opens the line and keeps it open. */
  void open() {
    if (thread == null) {
      final Map<String, Object> capabilities = table.capabilities();
      thread = new Thread(() -> keepOpen(capabilities), "tallyho-link");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Closes the line; the session may be gone on with. */
  void close() {
    final WebSocket open = socket;
    if (thread != null) {
      thread.interrupt();
      thread = null;
    }
    if (open != null) {
      outbox.add("");
    }
    down("Not connected.");
  }

  /** Sends a request; {@code answered} gets its result, or null and the error. */
  void request(String method, Object params, BiConsumer<Object, Object> answered) {
    final String id = "v" + ++ids;
    final String text = Json.write(Json.object("jsonrpc", "2.0", "id", id, "method", method, "params", params));
    pending.put(id, new Request(text, answered));
    outbox.add(text);
  }

  /** Answers a request of the program. */
  void answer(Object id, Object result) {
    outbox.add(Json.write(Json.object("jsonrpc", "2.0", "id", id, "result", result)));
  }

  /** Refuses a request of the program. */
  void refuse(Object id, int code, String message) {
    outbox.add(Json.write(Json.object("jsonrpc", "2.0", "id", id, "error", Json.object("code", code, "message", message))));
  }

  private void keepOpen(Map<String, Object> capabilities) {
    final Thread mine = Thread.currentThread();
    int wait = FIRST_WAIT;
    while (!mine.isInterrupted()) {
      String status;
      try {
        if (converse(mine, capabilities)) {
          wait = FIRST_WAIT;
        }
        status = "The connection was lost.";
      }
      catch (Refused e) {
        later(mine, () -> {
          thread = null;
          down(e.getMessage());
        });
        return;
      }
      catch (Program.NotThere e) {
        status = "Tallyho is not running: " + e.getMessage() + ".";
      }
      catch (IOException | RuntimeException e) {
        status = "No connection (" + e.getMessage() + "). Is `tallyho serve` running?";
      }
      final String told = status;
      later(mine, () -> down(told));
      if (!pause(wait / 2 + jitter.nextInt(wait / 2 + 1))) {
        return;
      }
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  }

  /** Waits, but not longer than until the program is started anew; false: the line is not wanted any more. */
  private static boolean pause(int milliseconds) {
    final Path file = Program.instanceFile();
    final Object before = stamp(file);
    try {
      for (int waited = 0; waited < milliseconds; waited += LOOK) {
        Thread.sleep(Math.min(LOOK, milliseconds - waited));
        if (!stamp(file).equals(before)) {
          return true;
        }
      }
      return true;
    }
    catch (InterruptedException e) {
      return false;
    }
  }

  private static Object stamp(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    }
    catch (IOException e) {
      return "none";
    }
  }

  /** One connection, from its beginning to its end; whether it came so far that messages were exchanged. */
  private boolean converse(Thread mine, Map<String, Object> capabilities) throws IOException {
    final Program program = Program.find();
    final String token = program.prove();
    final String[] resume = new String[2];
    now(() -> {
      resume[0] = session;
      resume[1] = String.valueOf(lastSeq);
    });
    try (WebSocket open = WebSocket.open(Program.HOST, program.port, "/ws", PROTOCOL, SILENCE, LONGEST)) {
      final Map<String, Object> params = Json.object(
        "protocol", Json.object("min", 1, "max", 1),
        "client", Json.object("name", "tallyho-vassal", "version", version),
        "auth", token, "role", "table", "capabilities", capabilities);
      if (!resume[0].isEmpty()) {
        params.put("resume", Json.object("session", resume[0], "lastSeq", Long.valueOf(resume[1])));
      }
      open.send(Json.write(Json.object("jsonrpc", "2.0", "id", "i" + System.nanoTime(), "method", "initialize", "params", params)));
      final Object answer = message(open);
      final Object result = Json.field(answer, "result");
      if (result == null) {
        final Object error = Json.field(answer, "error");
        throw new Refused(refusal(Json.text(Json.field(error, "data"), "kind"), Json.text(error, "message")));
      }
      open.send(Json.write(Json.object("jsonrpc", "2.0", "method", "initialized")));
      final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
      final Thread writer = new Thread(() -> write(open, queue), "tallyho-writer");
      writer.setDaemon(true);
      writer.start();
      later(mine, () -> begin(open, queue, result));
      try {
        while (true) {
          final Object next = message(open);
          later(mine, () -> take(next));
        }
      }
      catch (WebSocket.Closed e) {
        if (e.status == 4009) {
          throw new Refused("Another table plays this game now. Press Connect to take it back.");
        }
        if (e.status == 4002) {
          throw new Refused(refusal("auth", e.getMessage()));
        }
        return true;
      }
      catch (IOException e) {
        return true;
      }
      finally {
        writer.interrupt();
      }
    }
  }

  private static String refusal(String kind, String message) {
    switch (kind) {
      case "version":
        return "The program and this plugin do not fit together (" + message + "). Run `tallyho install vassal` again.";
      case "auth":
      case "role":
        return "The program refused the token (" + message + "). Start `tallyho serve` again, then press Connect.";
      default:
        return "The program refused this table (" + message + ").";
    }
  }

  private static Object message(WebSocket open) throws IOException {
    final WebSocket.Message message = open.receive();
    if (!message.text) {
      open.close(WebSocket.NOT_TEXT, "text only");
      throw new IOException("the program sent a binary message");
    }
    try {
      return Json.read(message.toString());
    }
    catch (Json.Malformed e) {
      open.close(WebSocket.BROKEN, "no JSON");
      throw new IOException("the program sent no JSON (" + e.getMessage() + ")");
    }
  }

  /** Sends what is queued; an empty text says farewell. */
  private static void write(WebSocket open, BlockingQueue<String> queue) {
    try {
      while (true) {
        final String text = queue.take();
        if (text.isEmpty()) {
          open.close(WebSocket.NORMAL, "");
          return;
        }
        open.send(text);
      }
    }
    catch (InterruptedException | IOException e) {
      // The reader notices the end by itself.
      return;
    }
  }

  private void begin(WebSocket open, BlockingQueue<String> queue, Object result) {
    final boolean resumed = Json.isTrue(result, "resumed");
    session = Json.text(result, "session");
    socket = open;
    outbox = queue;
    up = true;
    if (resumed) {
      // Those that arrived already are answered from memory.
      pending.values().forEach(request -> outbox.add(request.text));
    }
    else {
      lastSeq = (long) Json.number(result, "seq", 0);
      giveUp();
    }
    final Object server = Json.field(result, "server");
    table.line(true, "Connected to " + Json.text(server, "name") + " " + Json.text(server, "version") + ".");
    table.session(resumed);
  }

  private void down(String status) {
    up = false;
    socket = null;
    // Answers are asked for again, requests are sent again.
    outbox = new LinkedBlockingQueue<>();
    table.line(false, status);
  }

  private void giveUp() {
    final Map<String, Request> lost = new LinkedHashMap<>(pending);
    pending.clear();
    lost.values().forEach(request -> request.answered.accept(null, Json.object("message", "The connection was lost.")));
  }

  private void take(Object message) {
    final String method = Json.text(message, "method");
    final Object id = Json.field(message, "id");
    if (method.isEmpty()) {
      final Request request = id instanceof String ? pending.remove(id) : null;
      if (request != null) {
        final Object error = Json.field(message, "error");
        final Object result = Json.field(message, "result");
        request.answered.accept(error != null ? null : result == null ? Map.of() : result, error);
      }
      return;
    }
    final Object params = Json.field(message, "params");
    if (method.equals("game/event")) {
      lastSeq = Math.max(lastSeq, (long) Json.number(params, "seq", 0));
    }
    table.message(id, method, params);
  }

  /** Does something on the Swing thread, unless the line was closed or opened anew since. */
  private void later(Thread mine, Runnable action) {
    SwingUtilities.invokeLater(() -> {
      if (thread == mine) {
        action.run();
      }
    });
  }

  private static void now(Runnable action) throws IOException {
    try {
      SwingUtilities.invokeAndWait(action);
    }
    catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("closed");
    }
    catch (java.lang.reflect.InvocationTargetException e) {
      throw new IOException(e.getCause());
    }
  }
}
