package tallyho.vassal;

import java.io.IOException;

/** Plays the client's part in the Autobahn cases: {@code Echo PORT} sends back what it gets. */
final class Echo {
  private static final int LONGEST = 32 * 1024 * 1024;

  public static void main(String[] arguments) throws IOException {
    final int port = Integer.parseInt(arguments[0]);
    final int cases;
    try (WebSocket count = open(port, "/getCaseCount")) {
      cases = Integer.parseInt(count.receive().toString());
    }
    for (int number = 1; number <= cases; ++number) {
      try (WebSocket socket = open(port, "/runCase?case=" + number + "&agent=tallyho")) {
        while (true) {
          socket.send(socket.receive());
        }
      }
      catch (IOException e) {
        // Every case ends with the end of its connection; the server's report tells whether it was the right one.
      }
    }
    try (WebSocket report = open(port, "/updateReports?agent=tallyho")) {
      report.receive();
    }
    catch (IOException e) {
      // Closed, as it should be.
    }
    System.out.println(cases + " cases");
  }

  private static WebSocket open(int port, String path) throws IOException {
    return WebSocket.open("127.0.0.1", port, path, "", 60_000, LONGEST);
  }
}
