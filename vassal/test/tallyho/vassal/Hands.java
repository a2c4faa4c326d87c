package tallyho.vassal;

import VASSAL.build.Buildable;
import VASSAL.build.GameModule;
import VASSAL.build.module.Map;
import VASSAL.build.module.Plugin;
import VASSAL.build.module.map.PieceMover;
import VASSAL.chat.ChatServerConnection;
import VASSAL.chat.HybridClient;
import VASSAL.chat.node.NodeClientFactory;
import VASSAL.chat.node.NodeRoom;
import VASSAL.chat.node.PrivateNodeClientFactory;
import VASSAL.command.Command;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.PieceCloner;
import java.awt.Component;
import java.awt.Container;
import java.awt.Point;
import java.awt.Window;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Properties;
import javax.swing.AbstractButton;
import javax.swing.JComboBox;
import javax.swing.JLabel;
import javax.swing.SwingUtilities;

/**
 * The hands of a player, for tests with a real Vassal: a line on a local port, a word each: {@code press LABEL}, {@code undo},
 * {@code drag PIECE X Y}, {@code save FILE}, {@code side NAME}, {@code status}, {@code windows}, {@code pieces}, {@code snapshot},
 * {@code fill PIECE COUNT}, {@code measure}, {@code zoom FACTOR}, {@code join PORT}, {@code room NAME}. Each line is answered by one line. The port stands in the file that the property
 * {@code tallyho.hands} names.
 */
public final class Hands extends Plugin {
  @Override
  public void addTo(Buildable parent) {
    SwingUtilities.invokeLater(() -> {
      final Thread thread = new Thread(this::listen, "hands");
      thread.setDaemon(true);
      thread.start();
    });
  }

  private void listen() {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(Paths.get(System.getProperty("tallyho.hands")), String.valueOf(server.getLocalPort()));
      while (true) {
        try (Socket socket = server.accept();
             BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
             PrintWriter out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.UTF_8)) {
          for (String line = in.readLine(); line != null; line = in.readLine()) {
            final String word = line;
            final String[] answer = new String[1];
            SwingUtilities.invokeAndWait(() -> answer[0] = obey(word));
            out.println(answer[0].replace('\n', ' '));
          }
        }
      }
    }
    catch (Exception e) {
      e.printStackTrace();
    }
  }

  private static String obey(String line) {
    try {
      final String[] words = line.split(" ");
      switch (words[0]) {
        case "press":
          return press(line.substring(6));
        case "undo":
          return press("undo");
        case "drag":
          return drag(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        case "save":
          GameModule.getGameModule().getGameState().saveGame(new File(line.substring(5)));
          return "saved";
        case "side": {
          final JComboBox<?> side = find(GameModule.getGameModule().getToolBar(), JComboBox.class, "");
          side.setSelectedItem(line.substring(5));
          return "chosen";
        }
        case "status":
          return status();
        case "windows":
          return windows();
        case "pieces":
          return pieces();
        case "join":
          return join(words[1]);
        case "room":
          ((ChatServerConnection) GameModule.getGameModule().getServer()).setRoom(new NodeRoom(words[1]));
          return "asked";
        case "zoom":
          Map.getMapList().get(0).getZoomer().setZoomFactor(Double.parseDouble(words[1]));
          return "zoomed";
        case "snapshot":
          return Json.write(snapshot());
        case "fill":
          return fill(words[1], Integer.parseInt(words[2]));
        case "measure":
          return measure();
        default:
          return "unknown";
      }
    }
    catch (IOException | RuntimeException e) {
      return "failed: " + e;
    }
  }

  private static String press(String label) {
    for (final Window window : Window.getWindows()) {
      final AbstractButton button = window.isShowing() ? find(window, AbstractButton.class, label) : null;
      if (button != null) {
        if (!button.isEnabled()) {
          return "disabled";
        }
        button.doClick();
        return "pressed";
      }
    }
    return "no such button";
  }

  private static <T extends Component> T find(Container container, Class<T> kind, String label) {
    for (final Component component : container.getComponents()) {
      if (kind.isInstance(component) && (label.isEmpty() || called(component, label))) {
        return kind.cast(component);
      }
      final T within = component instanceof Container ? find((Container) component, kind, label) : null;
      if (within != null) {
        return within;
      }
    }
    return null;
  }

  private static boolean called(Component component, String label) {
    final AbstractButton button = (AbstractButton) component;
    final String tip = String.valueOf(button.getToolTipText());
    return label.equals(button.getText()) || label.equals("undo") && tip.toLowerCase().startsWith("undo");
  }

  /** Goes to a game server on this machine: into its lobby. */
  private static String join(String port) {
    final Properties server = new Properties();
    server.setProperty(NodeClientFactory.NODE_HOST, "127.0.0.1");
    server.setProperty(NodeClientFactory.NODE_PORT, port);
    final ChatServerConnection connection = new PrivateNodeClientFactory().buildServer(server);
    ((HybridClient) GameModule.getGameModule().getServer()).setDelegate(connection);
    connection.setConnected(true);
    return connection.isConnected() ? "joined" : "not connected";
  }

  private static String drag(String id, int x, int y) {
    final GamePiece piece = GameModule.getGameModule().getGameState().getPieceForId(id);
    final Map map = piece.getMap();
    DragBuffer.getBuffer().clear();
    DragBuffer.getBuffer().add(piece);
    final Command moved = map.getComponentsOf(PieceMover.class).get(0).movePieces(map, new Point(x, y));
    GameModule.getGameModule().sendAndLog(moved);
    DragBuffer.getBuffer().clear();
    KeyBuffer.getBuffer().clear();
    return piece.getPosition().x + " " + piece.getPosition().y;
  }

  private static String status() {
    return status(GameModule.getGameModule().getToolBar());
  }

  private static String status(Container container) {
    for (final Component component : container.getComponents()) {
      if ("tallyho-status".equals(component.getName())) {
        return ((JLabel) component).getToolTipText() == null ? ((JLabel) component).getText() : ((JLabel) component).getToolTipText();
      }
      final String within = component instanceof Container ? status((Container) component) : "";
      if (!within.isEmpty()) {
        return within;
      }
    }
    return "";
  }

  /** Titles of the windows that are open, with a star for one that blocks the others. */
  private static String windows() {
    final StringBuilder titles = new StringBuilder();
    for (final Window window : Window.getWindows()) {
      if (window.isShowing()) {
        final boolean blocks = window instanceof java.awt.Dialog && ((java.awt.Dialog) window).isModal();
        titles.append(window instanceof java.awt.Dialog ? ((java.awt.Dialog) window).getTitle() : window.getName())
          .append(blocks ? "*;" : ";");
      }
    }
    return titles.toString();
  }

  private static Object snapshot() {
    final Pieces pieces = new Pieces();
    pieces.begin();
    return pieces.snapshot("");
  }

  /** Lays copies of a piece on the map, as many as are asked for. */
  private static String fill(String id, int count) {
    final GamePiece piece = GameModule.getGameModule().getGameState().getPieceForId(id);
    for (int i = 0; i < count; ++i) {
      piece.getMap().placeOrMerge(PieceCloner.getInstance().clonePiece(piece), new Point(25 + 50 * (i % 20), 25 + 50 * (i / 20)));
    }
    return "filled";
  }

  /** Bytes of a snapshot, and microseconds that one look at the table takes once all is warm. */
  private static String measure() {
    final Pieces pieces = new Pieces();
    pieces.begin();
    String text = "";
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 20; ++i) {
      final long begun = System.nanoTime();
      text = Json.write(pieces.snapshot(""));
      best = Math.min(best, System.nanoTime() - begun);
    }
    return text.getBytes(StandardCharsets.UTF_8).length + " " + best / 1000;
  }

  private static String pieces() {
    final StringBuilder places = new StringBuilder();
    for (final GamePiece piece : GameModule.getGameModule().getGameState().getAllPieces()) {
      if (!(piece instanceof VASSAL.counters.Stack) && piece.getMap() != null) {
        places.append(piece.getId()).append(' ').append(piece.getPosition().x).append(' ').append(piece.getPosition().y)
          .append(' ').append(Pieces.heading(piece)).append(';');
      }
    }
    return places.toString();
  }
}
