package tallyho.vassal;

import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.Map;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.PrivateMap;
import VASSAL.build.module.map.boardPicker.Board;
import VASSAL.build.module.map.boardPicker.board.HexGrid;
import VASSAL.build.module.map.boardPicker.board.MapGrid;
import VASSAL.build.module.map.boardPicker.board.RegionGrid;
import VASSAL.build.module.map.boardPicker.board.SquareGrid;
import VASSAL.build.module.map.boardPicker.board.ZonedGrid;
import VASSAL.build.module.properties.GlobalProperty;
import VASSAL.counters.BasicPiece;
import VASSAL.counters.CalculatedProperty;
import VASSAL.counters.Deck;
import VASSAL.counters.Decorator;
import VASSAL.counters.DynamicProperty;
import VASSAL.counters.Embellishment;
import VASSAL.counters.FreeRotator;
import VASSAL.counters.GamePiece;
import VASSAL.counters.Labeler;
import VASSAL.counters.Marker;
import VASSAL.counters.NonRectangular;
import VASSAL.counters.Properties;
import VASSAL.counters.PropertySheet;
import VASSAL.counters.Stack;
import VASSAL.tools.SequenceEncoder;
import java.awt.Dimension;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.geom.PathIterator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads the game as an opponent may see it: nothing that is hidden or masked from anybody, nothing in a deck or a hand.
 */
final class Pieces {
  /** Outlines do not change in a game, and are dear to find. */
  private final java.util.Map<String, Outline> outlines = new HashMap<>();
  private List<GlobalProperty> properties = List.of();
  private List<DiceButton> dice = List.of();

  /** Size of a piece that is not turned, and the corners where the module gives it an outline of its own. */
  private static final class Outline {
    final Dimension size;
    final List<Object> corners = new ArrayList<>();

    Outline(Shape shape, boolean own) {
      size = shape.getBounds().getSize();
      if (own) {
        final double[] at = new double[6];
        for (final PathIterator path = shape.getPathIterator(null, 0.5); !path.isDone(); path.next()) {
          if (path.currentSegment(at) != PathIterator.SEG_CLOSE) {
            corners.add(List.of(at[0], at[1]));
          }
        }
      }
    }
  }

  /** Another game has begun. */
  void begin() {
    outlines.clear();
    final GameModule module = GameModule.getGameModule();
    properties = module.getAllDescendantComponentsOf(GlobalProperty.class);
    dice = module.getAllDescendantComponentsOf(DiceButton.class);
  }

  /** The whole table. */
  java.util.Map<String, Object> snapshot(String automates) {
    final GameModule module = GameModule.getGameModule();
    final String side = PlayerRoster.getMySide();
    final java.util.Map<String, Object> snapshot = Json.object(
      "kind", "vassal",
      "module", Json.object("name", module.getGameName(), "version", module.getGameVersion(), "vassal", VASSAL.Info.getVersion()),
      "side", side == null ? "" : side, "automates", automates);
    final List<Object> maps = new ArrayList<>();
    for (final Map map : Map.getMapList()) {
      if (isOpen(map)) {
        maps.add(map(map));
      }
    }
    snapshot.put("maps", maps);
    final List<Object> pieces = new ArrayList<>();
    final java.util.Map<String, GamePiece> inOrder = new TreeMap<>();
    for (final GamePiece piece : module.getGameState().getAllPieces()) {
      if (isOpen(piece)) {
        inOrder.put(piece.getId(), piece);
      }
    }
    inOrder.values().forEach(piece -> pieces.add(piece(piece)));
    snapshot.put("pieces", pieces);
    final java.util.Map<String, Object> values = new TreeMap<>();
    for (final GlobalProperty property : properties) {
      values.put(property.getConfigureName(), property.getPropertyValue());
    }
    snapshot.put("properties", values);
    final List<Object> buttons = new ArrayList<>();
    for (final DiceButton button : dice) {
      buttons.add(Json.object("name", button.getConfigureName(), "count", dice(button, DiceButton.N_DICE),
        "sides", dice(button, DiceButton.N_SIDES)));
    }
    snapshot.put("dice", buttons);
    return snapshot;
  }

  /** The module's button that rolls one die of so many sides; null if it has none. */
  DiceButton die(int sides) {
    for (final DiceButton button : dice) {
      if (dice(button, DiceButton.N_DICE) == 1 && dice(button, DiceButton.N_SIDES) == sides) {
        return button;
      }
    }
    return null;
  }

  private static int dice(DiceButton button, String attribute) {
    try {
      return Integer.parseInt(button.getAttributeValueString(attribute));
    }
    catch (NumberFormatException e) {
      return 0;
    }
  }

  private static boolean isOpen(Map map) {
    return !(map instanceof PrivateMap) || map.isVisibleToAll();
  }

  /** Whether everybody may see it. What the player has hidden from others is hidden from the player's opponent. */
  static boolean isOpen(GamePiece piece) {
    return !(piece instanceof Stack) && !(piece.getParent() instanceof Deck) && piece.getMap() != null && isOpen(piece.getMap())
      && !is(piece, Properties.INVISIBLE_TO_ME) && !is(piece, Properties.INVISIBLE_TO_OTHERS)
      && !is(piece, Properties.OBSCURED_TO_ME) && !is(piece, Properties.OBSCURED_TO_OTHERS);
  }

  private static boolean is(GamePiece piece, String property) {
    final Object value = piece.getProperty(property);
    return Boolean.TRUE.equals(value) || "true".equals(value);
  }

  private static Object map(Map map) {
    final List<Object> boards = new ArrayList<>();
    for (final Board board : map.getBoards()) {
      final Rectangle bounds = board.bounds();
      boards.add(Json.object("name", board.getName(), "x", bounds.x, "y", bounds.y, "width", bounds.width,
        "height", bounds.height, "reversed", board.isReversed(), "grid", grid(board)));
    }
    return Json.object("name", map.getMapName(), "boards", boards);
  }

  private static Object grid(Board board) {
    MapGrid grid = board.getGrid();
    if (grid instanceof ZonedGrid) {
      final MapGrid background = ((ZonedGrid) grid).getBackgroundGrid();
      if (!(background instanceof SquareGrid)) {
        return Json.object("kind", "zoned");
      }
      grid = background;
    }
    if (grid instanceof SquareGrid) {
      final SquareGrid squares = (SquareGrid) grid;
      final double scale = board.getMagnification();
      return Json.object("kind", "square", "dx", squares.getDx() * scale, "dy", squares.getDy() * scale,
        "x0", squares.getOrigin().x * scale, "y0", squares.getOrigin().y * scale);
    }
    return grid == null ? null : Json.object("kind",
      grid instanceof HexGrid ? "hex" : grid instanceof RegionGrid ? "region" : grid.getClass().getSimpleName());
  }

  private Object piece(GamePiece piece) {
    final java.util.Map<String, Object> properties = new TreeMap<>();
    final List<Object> labels = new ArrayList<>();
    GamePiece inner = piece;
    while (inner instanceof Decorator) {
      trait((Decorator) inner, properties, labels);
      inner = ((Decorator) inner).getInner();
    }
    final Stack stack = piece.getParent();
    final Outline outline = outlines.computeIfAbsent(piece.getId(), id -> outline(piece));
    final String gpid = String.valueOf(piece.getProperty(Properties.PIECE_ID));
    return Json.object("id", piece.getId(), "name", piece.getName(),
      "basic", String.valueOf(piece.getProperty(BasicPiece.BASIC_NAME)), "gpid", gpid,
      "map", piece.getMap().getMapName(), "x", piece.getPosition().x, "y", piece.getPosition().y,
      "heading", heading(piece), "width", outline.size.width, "height", outline.size.height,
      "layer", stack == null ? 0 : Math.max(0, stack.indexOf(piece)),
      "restricted", is(piece, Properties.RESTRICTED), "properties", properties, "labels", labels,
      "outline", outline.corners.isEmpty() ? null : outline.corners);
  }

  private static void trait(Decorator trait, java.util.Map<String, Object> properties, List<Object> labels) {
    if (trait instanceof Marker) {
      // The outermost of the same name counts, as when a property is asked for.
      for (final String key : ((Marker) trait).getKeys()) {
        if (!key.isEmpty()) {
          properties.putIfAbsent(key, String.valueOf(trait.getProperty(key)));
        }
      }
    }
    else if (trait instanceof DynamicProperty) {
      properties.putIfAbsent(((DynamicProperty) trait).getKey(), ((DynamicProperty) trait).getValue());
    }
    else if (trait instanceof Embellishment) {
      final String name = ((Embellishment) trait).getLayerName();
      if (name != null && !name.isEmpty()) {
        properties.putIfAbsent(name + Embellishment.LEVEL, String.valueOf(((Embellishment) trait).getValue()));
      }
    }
    else if (trait instanceof CalculatedProperty) {
      for (final String name : trait.getPropertyNames()) {
        final Object value = trait.getProperty(name);
        properties.putIfAbsent(name, value == null ? "" : value.toString());
      }
    }
    else if (trait instanceof PropertySheet) {
      final List<String> texts = fieldTexts((PropertySheet) trait);
      int index = 0;
      for (final String field : fields((PropertySheet) trait)) {
        // Boxes to tick are written as their number and the most: `3/5`.
        properties.putIfAbsent(field, index < texts.size() ? texts.get(index) : "");
        ++index;
      }
    }
    else if (trait instanceof Labeler && !trait.myGetState().isEmpty()) {
      labels.add(trait.myGetState());
    }
  }

  /** The fields of a sheet, as SHEET.FIELD, in its order. The first character of each in its type says how it is edited. */
  static List<String> fields(PropertySheet sheet) {
    final SequenceEncoder.Decoder type = new SequenceEncoder.Decoder(sheet.myGetType().substring(PropertySheet.ID.length()), ';');
    final String definition = type.nextToken("");
    final String name = type.nextToken("");
    final List<String> fields = new ArrayList<>();
    final SequenceEncoder.Decoder all = new SequenceEncoder.Decoder(definition, '~');
    while (all.hasMoreTokens()) {
      final String field = all.nextToken();
      if (field.isEmpty()) {
        break;
      }
      fields.add(name + "." + field.substring(1));
    }
    return fields;
  }

  /** What stands in the fields of a sheet, in its order. */
  static List<String> fieldTexts(PropertySheet sheet) {
    final List<String> texts = new ArrayList<>();
    final SequenceEncoder.Decoder all = new SequenceEncoder.Decoder(sheet.myGetState(), '~');
    while (all.hasMoreTokens()) {
      texts.add(all.nextToken());
    }
    return texts;
  }

  /** Sum of the rotators, degrees clockwise in [0, 360); null: it has none. */
  static Double heading(GamePiece piece) {
    Double heading = null;
    GamePiece inner = piece;
    while (inner instanceof Decorator) {
      if (inner instanceof FreeRotator) {
        heading = (heading == null ? 0 : heading) - ((FreeRotator) inner).getAngle();
      }
      inner = ((Decorator) inner).getInner();
    }
    // Twice: the remainder of a negative number is negative, and adding 0.0 makes -0.0 a plain zero.
    return heading == null ? null : Double.valueOf((heading % 360 + 360) % 360 + 0.0);
  }

  /** The rotator with the most facings; a free one before all others. Null: it has none. */
  static FreeRotator rotator(GamePiece piece) {
    FreeRotator best = null;
    int most = 0;
    GamePiece inner = piece;
    while (inner instanceof Decorator) {
      if (inner instanceof FreeRotator) {
        final FreeRotator rotator = (FreeRotator) inner;
        final int facings = rotator.isFreeRotation() ? Integer.MAX_VALUE : facings(rotator);
        if (facings > most) {
          most = facings;
          best = rotator;
        }
      }
      inner = ((Decorator) inner).getInner();
    }
    return best;
  }

  private static int facings(FreeRotator rotator) {
    final SequenceEncoder.Decoder type = new SequenceEncoder.Decoder(rotator.myGetType().substring(FreeRotator.ID.length()), ';');
    return type.nextInt(1);
  }

  /** The outline, not turned: that of a collision trait, else of what lies within the innermost rotator. */
  private static Outline outline(GamePiece piece) {
    GamePiece unturned = piece;
    GamePiece inner = piece;
    while (inner instanceof Decorator) {
      final GamePiece next = ((Decorator) inner).getInner();
      if (inner instanceof FreeRotator) {
        unturned = next;
      }
      inner = next;
    }
    final GamePiece own = unturned instanceof Decorator ? Decorator.getDecorator(unturned, NonRectangular.class) : null;
    return new Outline((own == null ? unturned : own).getShape(), own != null);
  }
}
