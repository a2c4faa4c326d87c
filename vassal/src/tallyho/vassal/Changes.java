package tallyho.vassal;

import VASSAL.build.GameModule;
import VASSAL.build.module.Chatter;
import VASSAL.build.module.GameState;
import VASSAL.build.module.GlobalOptions;
import VASSAL.build.module.Map;
import VASSAL.build.module.ServerConnection;
import VASSAL.build.module.map.PieceMover;
import VASSAL.build.widget.PieceSlot;
import VASSAL.chat.ChatServerConnection;
import VASSAL.chat.Room;
import VASSAL.command.AddPiece;
import VASSAL.command.ChangeTracker;
import VASSAL.command.Command;
import VASSAL.command.NullCommand;
import VASSAL.command.RemovePiece;
import VASSAL.configure.NamedHotKeyConfigurer;
import VASSAL.counters.Decorator;
import VASSAL.counters.DragBuffer;
import VASSAL.counters.DynamicProperty;
import VASSAL.counters.Embellishment;
import VASSAL.counters.FreeRotator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.KeyBuffer;
import VASSAL.counters.PieceCloner;
import VASSAL.counters.Properties;
import VASSAL.counters.PropertyExporter;
import VASSAL.counters.PropertySheet;
import VASSAL.tools.NamedKeyStroke;
import VASSAL.tools.SequenceEncoder;
import java.awt.Point;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.swing.KeyStroke;

/**
 * Carries out `table/apply`. All changes of a step become one command of Vassal: logged and sent to the other players
 * together, taken back by one Undo. What is observed afterwards counts.
 */
final class Changes {
  private static final int REMEMBERED = 32;

  /** Answers of the last steps: one that comes again is not carried out again. */
  private final java.util.Map<String, java.util.Map<String, Object>> answers =
    new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(java.util.Map.Entry<String, java.util.Map<String, Object>> eldest) {
        return size() > REMEMBERED;
      }
    };
  /** Pieces that were taken off, with their states then, so that they can be put back. */
  private final java.util.Map<String, Removed> removed = new HashMap<>();
  private final Consumer<String> undone;
  /** What was said and is not logged yet. */
  private Command said = new NullCommand();

  private static final class Removed {
    final GamePiece piece;
    final String state;

    Removed(GamePiece piece) {
      this.piece = piece;
      this.state = piece.getState();
    }
  }

  /** A step that cannot be carried out; nothing has changed. */
  private static final class Rejected extends Exception {
    private static final long serialVersionUID = 1L;

    Rejected(String reason) {
      super(reason);
    }
  }

  /** The last line of an action. When it is taken back, so is the action. Others see an ordinary line. */
  private static final class Line extends Chatter.DisplayText {
    private final String object;
    private final Consumer<String> undone;

    Line(String text, String object, Consumer<String> undone) {
      super(GameModule.getGameModule().getChatter(), text);
      this.object = object;
      this.undone = undone;
    }

    @Override
    public Command myUndoCommand() {
      final Chatter chatter = GameModule.getGameModule().getChatter();
      return new Chatter.DisplayText(chatter, "* UNDO: " + getMessage().replaceFirst("^\\* ", "")) {
        @Override
        public void executeCommand() {
          super.executeCommand();
          undone.accept(object);
        }
      };
    }
  }

  /** {@code undone} is told which piece an action was about that the player has taken back. */
  Changes(Consumer<String> undone) {
    this.undone = undone;
  }

  /** Another game has begun. */
  void begin() {
    removed.clear();
    said = new NullCommand();
  }

  /** Carries out a step, once; its answer without the revision. */
  java.util.Map<String, Object> apply(String actionId, Object step) {
    final java.util.Map<String, Object> known = answers.get(actionId);
    if (known != null) {
      final java.util.Map<String, Object> again = new LinkedHashMap<>(known);
      if (!"rejected".equals(again.get("outcome"))) {
        again.put("outcome", "duplicate");
      }
      return again;
    }
    final java.util.Map<String, Object> answer = carryOut(step);
    answers.put(actionId, answer);
    return answer;
  }

  private java.util.Map<String, Object> carryOut(Object step) {
    final String object = Json.text(step, "object");
    try {
      if (!GameModule.getGameModule().getGameState().isGameStarted()) {
        throw new Rejected("no game is open in Vassal");
      }
      final String kind = Json.text(step, "kind");
      if (kind.equals("say")) {
        say(Json.text(step, "text"));
        return Json.object("outcome", "applied");
      }
      if (!kind.equals("pieces")) {
        throw new Rejected("this table changes pieces and nothing else");
      }
      return changePieces(object, Json.list(step, "changes"), Json.text(step, "text"));
    }
    catch (Rejected e) {
      return Json.object("outcome", "rejected", "reason", e.getMessage(), "observed", observed(object));
    }
  }

  /**
   * Says something to all players. A line is no action: it is sent at once, and goes into the log with the next action, so
   * that no Undo is spent on it.
   */
  void say(String text) {
    final Command line = new Chatter.DisplayText(GameModule.getGameModule().getChatter(), "* " + plain(text));
    line.execute();
    send(line);
    said = said.append(line);
  }

  /** Sends to the other players. In a server's lobby there are none to play with, and Vassal would open a window to say so. */
  private static void send(Command command) {
    final ServerConnection server = GameModule.getGameModule().getServer();
    final Room room = server instanceof ChatServerConnection && server.isConnected() ? ((ChatServerConnection) server).getRoom() : null;
    if (room == null || !ChatServerConnection.DEFAULT_ROOM_NAME.equals(room.getName())) {
      server.sendToOthers(command);
    }
  }

  private static String plain(String text) {
    return GlobalOptions.getInstance().chatterHTMLSupport() ? text.replace("&", "&amp;").replace("<", "&lt;") : text;
  }

  private java.util.Map<String, Object> changePieces(String object, List<?> changes, String text) throws Rejected {
    for (final Object change : changes) {
      check(change);
    }
    final GameModule module = GameModule.getGameModule();
    // What traits send by themselves belongs to the action, too.
    final boolean paused = module.pauseLogging();
    Command done = new NullCommand();
    String lacks = "";
    RuntimeException failed = null;
    try {
      for (final Object change : changes) {
        done = done.append(change(change));
        lacks = lacks.isEmpty() ? shortfall(change) : lacks;
      }
      if (!done.isNull()) {
        final Command line = new Line("* " + plain(text.isEmpty() ? "Tallyho" : text), object, undone);
        line.execute();
        done = done.append(line);
      }
    }
    catch (RuntimeException e) {
      failed = e;
    }
    finally {
      if (paused) {
        final Command sent = module.resumeLogging();
        done = sent == null ? done : done.append(sent);
      }
    }
    if (failed != null) {
      done.getUndoCommand().execute();
      throw new Rejected("Vassal failed: " + failed);
    }
    if (done.isNull() && !text.isEmpty()) {
      say(text);
    }
    if (!done.isNull()) {
      send(done);
      module.getLogger().log(said.append(done));
      said = new NullCommand();
    }
    refresh();
    return lacks.isEmpty()
      ? Json.object("outcome", "applied", "observed", observed(object))
      : Json.object("outcome", "partial", "reason", lacks, "observed", observed(object));
  }

  private static void refresh() {
    for (final Map map : Map.getMapList()) {
      if (map.getComponent() != null && map.getComponent().isShowing()) {
        map.repaint();
      }
    }
  }

  private static Object observed(String object) {
    final GamePiece piece = object.isEmpty() ? null : state().getPieceForId(object);
    if (piece == null || piece.getMap() == null) {
      return null;
    }
    final Double heading = Pieces.heading(piece);
    return Json.object("x", piece.getPosition().x, "y", piece.getPosition().y, "facing", heading == null ? 0.0 : heading);
  }

  private static GameState state() {
    return GameModule.getGameModule().getGameState();
  }

  private static GamePiece piece(Object change) throws Rejected {
    final String id = Json.text(change, "piece");
    final GamePiece piece = state().getPieceForId(id);
    if (piece == null) {
      throw new Rejected("there is no piece " + id);
    }
    // What nobody may see nobody may change.
    if (!Pieces.isOpen(piece)) {
      throw new Rejected("the piece " + id + " is hidden or in nobody's reach");
    }
    return piece;
  }

  private static Point point(Object spot) {
    return new Point((int) Math.rint(Json.number(spot, "x", 0)), (int) Math.rint(Json.number(spot, "y", 0)));
  }

  private static Map map(Object spot, Map otherwise) throws Rejected {
    final String name = Json.text(spot, "map");
    if (name.isEmpty() && otherwise != null) {
      return otherwise;
    }
    for (final Map map : Map.getMapList()) {
      if (Objects.equals(map.getMapName(), name)) {
        return map;
      }
    }
    throw new Rejected("there is no map `" + name + "`");
  }

  private static boolean lies(GamePiece piece, Object spot) throws Rejected {
    return piece.getMap() == map(spot, piece.getMap()) && piece.getPosition().equals(point(spot));
  }

  /** Finds out whether a change can be made, before any is. */
  private void check(Object change) throws Rejected {
    switch (Json.text(change, "kind")) {
      case "move": {
        final GamePiece piece = piece(change);
        if (!lies(piece, Json.field(change, "from")) && !lies(piece, Json.field(change, "to"))) {
          throw new Rejected(piece.getName() + " stands elsewhere than planned; somebody moved it");
        }
        break;
      }
      case "turn":
        if (Pieces.rotator(piece(change)) == null) {
          throw new Rejected(piece(change).getName() + " cannot be turned");
        }
        break;
      case "property": {
        final String id = Json.text(change, "piece");
        // One that is put back in the same step may be changed then.
        final GamePiece piece = state().getPieceForId(id) == null && removed.containsKey(id)
          ? removed.get(id).piece : piece(change);
        if (property(piece, Json.text(change, "name"), Json.text(change, "value")) == null) {
          throw new Rejected(piece.getName() + " has no property `" + Json.text(change, "name") + "` that can be set to `"
            + Json.text(change, "value") + "`");
        }
        break;
      }
      case "key":
        piece(change);
        if (stroke(change) == null) {
          throw new Rejected("`" + Json.text(change, "stroke") + "` is no key stroke");
        }
        break;
      case "remove":
        break;
      case "restore": {
        final String id = Json.text(change, "piece");
        if (state().getPieceForId(id) == null && !removed.containsKey(id)) {
          throw new Rejected("the piece " + id + " was taken off by somebody else; please put it back by hand");
        }
        map(Json.field(change, "at"), mainMap());
        break;
      }
      case "add":
        if (slot(change) == null) {
          throw new Rejected("the palette has no `" + Json.text(change, "slot") + "`");
        }
        map(Json.field(change, "at"), mainMap());
        break;
      default:
        throw new Rejected("this plugin knows no change `" + Json.text(change, "kind") + "`; run `tallyho install vassal` again");
    }
  }

  private Command change(Object change) {
    try {
      switch (Json.text(change, "kind")) {
        case "move":
          return move(piece(change), Json.field(change, "to"), Json.isTrue(change, "drag"));
        case "turn":
          return turn(piece(change), Json.number(change, "heading", 0));
        case "property": {
          final GamePiece piece = piece(change);
          final ChangeTracker tracker = new ChangeTracker(piece);
          property(piece, Json.text(change, "name"), Json.text(change, "value")).run();
          return tracker.isChanged() ? tracker.getChangeCommand() : new NullCommand();
        }
        case "key": {
          final GamePiece piece = piece(change);
          // As Vassal does it when a player presses a key.
          piece.setProperty(Properties.SNAPSHOT, ((PropertyExporter) piece).getProperties());
          final Command pressed = piece.keyEvent(stroke(change));
          return pressed == null ? new NullCommand() : pressed;
        }
        case "remove":
          return remove(state().getPieceForId(Json.text(change, "piece")));
        case "restore":
          return restore(Json.text(change, "piece"), Json.field(change, "at"));
        default:
          return map(Json.field(change, "at"), mainMap())
            .placeOrMerge(PieceCloner.getInstance().clonePiece(slot(change).getPiece()), point(Json.field(change, "at")));
      }
    }
    catch (Rejected e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static Map mainMap() {
    for (final Map map : Map.getMapList()) {
      if (!map.getBoards().isEmpty()) {
        return map;
      }
    }
    return null;
  }

  private static Command move(GamePiece piece, Object spot, boolean drag) throws Rejected {
    final Map map = map(spot, piece.getMap());
    final Point to = point(spot);
    if (piece.getMap() == map && piece.getPosition().equals(to)) {
      return new NullCommand();
    }
    final List<PieceMover> movers = map.getComponentsOf(PieceMover.class);
    if (drag && !movers.isEmpty()) {
      final Command dragged = drag(movers.get(0), map, piece, to);
      if (dragged != null && !dragged.isNull()) {
        return dragged;
      }
    }
    // By hand: exact, and for pieces that this player must not drag.
    final Point exact = drag && !is(piece, Properties.IGNORE_GRID) ? map.snapTo(to) : to;
    Command moved = Decorator.putOldProperties(piece);
    moved = moved == null ? new NullCommand() : moved;
    final ChangeTracker tracker = new ChangeTracker(piece);
    piece.setProperty(Properties.MOVED, Boolean.TRUE);
    moved = moved.append(tracker.isChanged() ? tracker.getChangeCommand() : new NullCommand());
    if (piece.getParent() != null) {
      moved = moved.append(piece.getParent().pieceRemoved(piece));
    }
    return moved.append(map.placeOrMerge(piece, exact));
  }

  private static boolean is(GamePiece piece, String property) {
    return Boolean.TRUE.equals(piece.getProperty(property));
  }

  private static Command drag(PieceMover mover, Map map, GamePiece piece, Point to) {
    final DragBuffer buffer = DragBuffer.getBuffer();
    final KeyBuffer keys = KeyBuffer.getBuffer();
    // What the player holds or has selected stays out of it.
    buffer.clear();
    keys.clear();
    try {
      buffer.add(piece);
      return mover.movePieces(map, to);
    }
    finally {
      buffer.clear();
      keys.clear();
    }
  }

  private static Command turn(GamePiece piece, double heading) {
    final FreeRotator rotator = Pieces.rotator(piece);
    final Double now = Pieces.heading(piece);
    final double others = (now == null ? 0 : now) + rotator.getAngle();
    final ChangeTracker tracker = new ChangeTracker(piece);
    rotator.setAngle(others - heading);
    return tracker.isChanged() ? tracker.getChangeCommand() : new NullCommand();
  }

  /** What sets a property or the level of a layer; null if the piece has none of that name, or not that value. */
  private static Runnable property(GamePiece piece, String name, String value) {
    for (GamePiece inner = piece; inner instanceof Decorator; inner = ((Decorator) inner).getInner()) {
      if (inner instanceof DynamicProperty && ((DynamicProperty) inner).getKey().equals(name)) {
        final DynamicProperty property = (DynamicProperty) inner;
        return () -> property.setValue(value);
      }
      if (inner instanceof Embellishment && (((Embellishment) inner).getLayerName() + Embellishment.LEVEL).equals(name)) {
        final Embellishment layer = (Embellishment) inner;
        return value.matches("-?[0-9]{1,4}") ? () -> layer.mySetState(value) : null;
      }
      if (inner instanceof PropertySheet && Pieces.fields((PropertySheet) inner).contains(name)) {
        final PropertySheet sheet = (PropertySheet) inner;
        return () -> sheet.mySetState(filledIn(sheet, name, value));
      }
    }
    return null;
  }

  /** The state of a sheet with another text in one of its fields. */
  private static String filledIn(PropertySheet sheet, String name, String value) {
    final List<String> texts = Pieces.fieldTexts(sheet);
    final SequenceEncoder state = new SequenceEncoder('~');
    int index = 0;
    for (final String field : Pieces.fields(sheet)) {
      state.append(field.equals(name) ? value : index < texts.size() ? texts.get(index) : "");
      ++index;
    }
    return state.getValue();
  }

  private static KeyStroke stroke(Object change) {
    final NamedKeyStroke stroke = NamedHotKeyConfigurer.decode(Json.text(change, "stroke"));
    return stroke == null ? null : stroke.getKeyStroke();
  }

  private Command remove(GamePiece piece) {
    if (piece == null) {
      return new NullCommand();
    }
    removed.put(piece.getId(), new Removed(piece));
    final Command remove = new RemovePiece(piece);
    remove.execute();
    return remove;
  }

  private Command restore(String id, Object spot) throws Rejected {
    final Map map = map(spot, mainMap());
    final GamePiece there = state().getPieceForId(id);
    if (there != null) {
      return move(there, spot, false);
    }
    final Removed known = removed.remove(id);
    final Command add = new AddPiece(known.piece, known.state);
    add.execute();
    return add.append(map.placeOrMerge(known.piece, point(spot)));
  }

  private static PieceSlot slot(Object change) {
    final String wanted = Json.text(change, "slot");
    PieceSlot named = null;
    int count = 0;
    for (final PieceSlot slot : GameModule.getGameModule().getAllDescendantComponentsOf(PieceSlot.class)) {
      if (wanted.equals(slot.getGpId())) {
        return slot;
      }
      if (wanted.equals(slot.getConfigureName())) {
        named = slot;
        ++count;
      }
    }
    return count == 1 ? named : null;
  }

  /** What a change fell short of; empty if nothing. */
  private static String shortfall(Object change) {
    final GamePiece piece = state().getPieceForId(Json.text(change, "piece"));
    try {
      if (piece != null && Json.text(change, "kind").equals("move") && !lies(piece, Json.field(change, "to"))) {
        return piece.getName() + " ended elsewhere than it was put";
      }
    }
    catch (Rejected e) {
      return e.getMessage();
    }
    return "";
  }
}
