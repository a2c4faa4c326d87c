package tallyho.vassal;

import VASSAL.build.Buildable;
import VASSAL.build.GameModule;
import VASSAL.build.module.DiceButton;
import VASSAL.build.module.ExtensionElement;
import VASSAL.build.module.GameComponent;
import VASSAL.build.module.GameState;
import VASSAL.build.module.ModuleExtension;
import VASSAL.build.module.PlayerRoster;
import VASSAL.build.module.Plugin;
import VASSAL.command.Command;
import VASSAL.configure.StringConfigurer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.swing.SwingUtilities;
import javax.swing.Timer;

/**
 * The plugin: a table for `tallyho serve`. It shows the program what lies there, and carries out what the program asks for.
 * Everything here runs on the Swing thread. It knows no game: which piece is what, the program reads from its profile.
 */
public final class Tallyho extends Plugin implements GameComponent, Link.Table, Toolbar.Presses {
  static final String VERSION = "1";

  private static final String SIDE = "TallyhoSide";
  /** How often the table is looked at, ms. */
  private static final int LOOK = 250;
  /** A look may take this part of the time at most. */
  private static final int SHARE = 20;
  /** Most dice of one roll. */
  private static final int MOST_DICE = 20;
  /** With auto on: the pause before the next press, ms. */
  private static final int THINK = 1000;

  private final Link link = new Link(this, VERSION);
  private final Pieces pieces = new Pieces();
  private final Changes changes = new Changes(this::undone);
  private final Timer look = new Timer(LOOK, e -> look());
  private final Timer think = new Timer(THINK, e -> thought());
  private final Set<String> warned = new HashSet<>();
  private final Map<String, Object> prompts = new HashMap<>();
  private Toolbar toolbar;
  private boolean started;
  private boolean playing;
  private long rev;
  /** The table as it was last looked at. */
  private String seen = "";
  /** Whether the program has that. */
  private boolean told;
  private boolean pressed;

  /** Vassal makes one when it loads the package. */
  public Tallyho() {
    think.setRepeats(false);
  }

  @Override
  public void addTo(Buildable parent) {
    // The module's own parts come later than those of a plugin.
    SwingUtilities.invokeLater(this::start);
  }

  private void start() {
    if (started) {
      return;
    }
    started = true;
    final GameModule module = GameModule.getGameModule();
    final GameState state = module.getGameState();
    // Saves are to be as they are without the plugin, for players who do not have it.
    for (final GameComponent component : new ArrayList<>(state.getGameComponents())) {
      if (component instanceof ModuleExtension && holdsThis((ModuleExtension) component)) {
        state.removeGameComponent(component);
      }
    }
    module.getPrefs().addOption(null, new StringConfigurer(SIDE, "", ""));
    toolbar = new Toolbar(this);
    final List<String> sides = new ArrayList<>();
    final PlayerRoster roster = module.getPlayerRoster();
    if (roster != null) {
      sides.addAll(roster.getSides());
    }
    toolbar.sides(sides, String.valueOf(module.getPrefs().getValue(SIDE)));
    state.addGameComponent(this);
    if (state.isGameStarted()) {
      setup(true);
    }
  }

  private boolean holdsThis(ModuleExtension extension) {
    return extension.getComponentsOf(ExtensionElement.class).stream().anyMatch(element -> element.getExtension() == this);
  }

  @Override
  public void setup(boolean gameStarting) {
    playing = gameStarting;
    told = false;
    changes.begin();
    if (gameStarting) {
      pieces.begin();
      toolbar.hasDice(pieces.die(20) != null);
      look.start();
      if (!link.isWanted()) {
        connect();
      }
    }
    else {
      look.stop();
      toolbar.setAuto(false);
    }
  }

  @Override
  public Command getRestoreCommand() {
    return null;
  }

  // What the player presses

  @Override
  public void connect() {
    if (link.isWanted()) {
      link.close();
    }
    else {
      toolbar.status("Looking for `tallyho serve`...");
      link.open();
    }
    toolbar.line(link.isWanted(), link.isUp());
  }

  @Override
  public void next() {
    if (!link.isUp() || !playing) {
      toolbar.status(playing ? "Not connected. Start `tallyho serve`." : "Open a game first.");
      return;
    }
    if (pressed) {
      return;
    }
    pressed = true;
    think.stop();
    // Read this very moment: what the players moved themselves nobody has told.
    sync();
    final Map<String, Object> params = Json.object("opId", UUID.randomUUID().toString(), "scope", "ship", "rev", rev,
      "confirm", toolbar.confirms());
    link.request("solo/advance", params, (result, error) -> {
      pressed = false;
      if (error != null) {
        final boolean busy = Json.text(Json.field(error, "data"), "kind").equals("busy");
        if (busy && toolbar.isAuto()) {
          think.restart();
          return;
        }
        toolbar.setAuto(false);
        tell(Json.text(error, "message"));
        return;
      }
      toolbar.status(Json.text(result, "message"));
      if (Json.list(result, "ships").isEmpty()) {
        toolbar.setAuto(false);
        tell(Json.text(result, "message"));
      }
    });
  }

  @Override
  public void auto(boolean on) {
    if (on) {
      next();
    }
    else {
      think.stop();
    }
  }

  @Override
  public void side(String side) {
    if (started && toolbar != null && !side.equals(GameModule.getGameModule().getPrefs().getValue(SIDE))) {
      GameModule.getGameModule().getPrefs().setValue(SIDE, side);
    }
  }

  @Override
  public void dice(boolean ofModule) {
    if (link.isUp()) {
      final Map<String, Object> params = Json.object("opId", UUID.randomUUID().toString(), "dice", ofModule ? "table" : "program");
      link.request("game/options", params, (result, error) ->
        toolbar.status(error == null ? Json.text(result, "message") : Json.text(error, "message")));
    }
  }

  private void thought() {
    if (toolbar.isAuto()) {
      next();
    }
  }

  /** A player has taken back an action: the piece that it was about has not had its turn. */
  private void undone(String object) {
    if (link.isUp() && !object.isEmpty()) {
      toolbar.setAuto(false);
      sync();
      // Of pieces that have no turn the program refuses it, which is nothing to tell.
      link.request("solo/override", Json.object("opId", UUID.randomUUID().toString(), "ship", object, "activated", "waiting"),
        (result, error) -> { });
    }
  }

  // Looking at the table

  private void look() {
    if (!playing || !link.isUp()) {
      return;
    }
    final long begun = System.nanoTime();
    final Map<String, Object> snapshot = snapshot();
    if (!told) {
      send(snapshot);
    }
    final int took = (int) ((System.nanoTime() - begun) / 1_000_000);
    look.setDelay(Math.max(LOOK, took * SHARE));
  }

  /** Sends the table as it is now, changed or not. */
  private void sync() {
    if (playing && link.isUp()) {
      send(snapshot());
    }
  }

  /** The table as it is now, with a revision of its own. */
  private Map<String, Object> snapshot() {
    final Map<String, Object> snapshot = pieces.snapshot(toolbar.side());
    final String text = Json.write(snapshot);
    if (!text.equals(seen)) {
      seen = text;
      told = false;
      ++rev;
    }
    return snapshot;
  }

  private void send(Map<String, Object> snapshot) {
    told = true;
    link.request("table/sync", Json.object("rev", rev, "snapshot", snapshot), (result, error) -> {
      if (error != null) {
        warn(Json.text(error, "message"));
      }
      for (final Object warning : Json.list(result, "warnings")) {
        warn(Json.text(warning, "message"));
      }
    });
  }

  /** Tells the player something, once. */
  private void warn(String text) {
    if (!text.isEmpty() && warned.add(text)) {
      tell(text);
    }
  }

  /** Tells the player alone. */
  private void tell(String text) {
    if (!text.isEmpty()) {
      toolbar.status(text);
      GameModule.getGameModule().warn("Tallyho: " + text);
    }
  }

  // What the program says

  @Override
  public Map<String, Object> capabilities() {
    // Dice that the program may ask for (`tallyho serve --dice table`): the module's own button for one of twenty sides.
    return Json.object("dialect", "vassal", "steps", List.of("say", "pieces"), "prompt", true, "dice", pieces.die(20) != null);
  }

  @Override
  public void line(boolean up, String status) {
    toolbar.status(status);
    toolbar.line(link.isWanted(), up);
    if (!up) {
      pressed = false;
    }
  }

  @Override
  public void session(boolean resumed) {
    // Whatever was on its way may be lost.
    told = false;
    if (!resumed) {
      toolbar.forget();
      prompts.clear();
      toolbar.setAuto(false);
      if (toolbar.rollsModuleDice()) {
        dice(true);
      }
      if (playing) {
        sync();
      }
      else {
        toolbar.status("Connected. Open a game.");
      }
    }
  }

  @Override
  public void message(Object id, String method, Object params) {
    switch (method) {
      case "table/apply":
        link.answer(id, apply(params));
        break;
      case "table/requestSync":
        sync();
        if (id != null) {
          link.answer(id, Map.of());
        }
        break;
      case "table/prompt":
        ask(id, params);
        break;
      case "dice/roll":
        rolled(id, params);
        break;
      case "$/cancelRequest":
        cancel(Json.field(params, "id"));
        break;
      case "$/ping":
        if (id != null) {
          link.answer(id, Map.of());
        }
        break;
      case "game/event":
        event(Json.field(params, "event"));
        break;
      default:
        if (id != null) {
          link.refuse(id, -32601, "this plugin has no " + method);
        }
    }
  }

  private Object apply(Object params) {
    final Map<String, Object> answer = changes.apply(Json.text(params, "actionId"), Json.field(params, "step"));
    if (playing) {
      // The next look sends it.
      snapshot();
    }
    final Map<String, Object> result = new HashMap<>(answer);
    result.put("rev", rev);
    return result;
  }

  private void ask(Object id, Object params) {
    prompts.put(String.valueOf(id), Json.text(params, "promptId"));
    final DiceButton die = Json.text(params, "topic").equals("dice") && Json.field(params, "input") == null ? pieces.die(20) : null;
    toolbar.ask(params, die == null ? null : () -> roll(die), choice -> {
      prompts.remove(String.valueOf(id));
      link.answer(id, Json.object("choice", choice));
    });
  }

  /** Presses the module's own button: its report, its log, its random numbers. */
  private static String roll(DiceButton die) {
    die.getLaunchButton().doClick();
    final Object shown = GameModule.getGameModule().getProperty(die.getConfigureName() + "_result");
    return shown == null ? null : shown.toString();
  }

  /** Rolls with the module's own button what it can; other dice the program has to roll, or the players. */
  private void rolled(Object id, Object params) {
    final DiceButton die = pieces.die(20);
    final int count = (int) Json.number(params, "d20", 0);
    if (!playing || die == null || count < 1 || count > MOST_DICE || Json.number(params, "attack", 0) + Json.number(params, "defence", 0) > 0) {
      link.refuse(id, -32601, "the module has no button for these dice");
      return;
    }
    final List<Object> shown = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      final String face = roll(die);
      if (face == null || !face.matches("1?[0-9]|20")) {
        link.refuse(id, -32603, "the module's button does not tell what it has rolled");
        return;
      }
      shown.add(Integer.valueOf(face));
    }
    link.answer(id, Json.object("attack", List.of(), "defence", List.of(), "d20", shown));
  }

  private void cancel(Object id) {
    final Object prompt = prompts.remove(String.valueOf(id));
    if (prompt != null) {
      toolbar.withdraw(prompt.toString());
      link.refuse(id, -32800, "cancelled");
    }
  }

  private void event(Object event) {
    switch (Json.text(event, "kind")) {
      case "decided":
        toolbar.status(Json.text(event, "sentence"));
        break;
      case "activated":
        toolbar.status(Json.text(event, "message"));
        think.restart();
        break;
      case "replanned":
      case "note":
        tell(Json.text(event, "message"));
        break;
      case "status":
        toolbar.status(Json.text(event, "text"));
        break;
      default:
    }
  }
}
