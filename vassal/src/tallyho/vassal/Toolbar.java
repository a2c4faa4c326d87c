package tallyho.vassal;

import VASSAL.build.GameModule;
import java.awt.BorderLayout;
import java.awt.Dimension;
import java.awt.FlowLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextArea;
import javax.swing.JTextField;
import javax.swing.Timer;
import javax.swing.WindowConstants;

/** The buttons in Vassal's toolbar, and questions in windows that block nothing. */
final class Toolbar {
  /** The first choice of sides: whatever the program's profile says. */
  static final String BY_PROFILE = "side: as set up";

  private final Presses presses;
  private final JButton connect = new JButton("Connect");
  private final JButton next = new JButton("Next solo");
  private final JCheckBox auto = new JCheckBox("Auto");
  private final JCheckBox confirm = new JCheckBox("Confirm");
  private final JCheckBox dice = new JCheckBox("Module dice");
  private final JComboBox<String> side = new JComboBox<>();
  private final JLabel status = new JLabel("Not connected.");
  /** Open questions by their ids. */
  private final Map<String, JDialog> questions = new LinkedHashMap<>();
  /** The last answers, for questions that come again because an answer was lost. */
  private final Map<String, String> answered = new LinkedHashMap<>();
  private final ArrayDeque<String> order = new ArrayDeque<>();

  /** What the player presses. */
  interface Presses {
    void connect();

    void next();

    void auto(boolean on);

    void side(String side);

    void dice(boolean ofModule);
  }

  Toolbar(Presses presses) {
    this.presses = presses;
    final JPanel panel = new JPanel(new FlowLayout(FlowLayout.LEFT, 4, 0));
    panel.setName("tallyho");
    panel.setOpaque(false);
    panel.setBorder(BorderFactory.createEmptyBorder(0, 8, 0, 8));
    connect.setToolTipText("Connect to `tallyho serve` on this computer, or leave it");
    connect.addActionListener(e -> presses.connect());
    next.setToolTipText("Play the next activation of the side that nobody plays");
    next.addActionListener(e -> presses.next());
    auto.setToolTipText("Go on until nobody is left to activate");
    auto.addActionListener(e -> presses.auto(auto.isSelected()));
    confirm.setToolTipText("Ask before a decision is carried out");
    dice.setToolTipText("Roll with the module's own button; otherwise Tallyho rolls and tells what");
    dice.addActionListener(e -> presses.dice(dice.isSelected()));
    dice.setVisible(false);
    side.setToolTipText("The side that Tallyho plays");
    side.setEditable(true);
    side.addItem(BY_PROFILE);
    side.setPreferredSize(new Dimension(140, side.getPreferredSize().height));
    side.addActionListener(e -> presses.side(side()));
    for (final JComponent component : new JComponent[] {connect, next, auto, confirm, dice}) {
      // Keys are for the pieces.
      component.setFocusable(false);
    }
    for (final JComponent component : new JComponent[] {connect, next, auto, confirm, dice, side, status}) {
      panel.add(component);
    }
    GameModule.getGameModule().getToolBar().add(panel);
    GameModule.getGameModule().getToolBar().revalidate();
    next.setEnabled(false);
    status.setName("tallyho-status");
  }

  /** The side that is played; empty: what the program's profile says. */
  String side() {
    final Object chosen = side.getSelectedItem();
    return chosen == null || chosen.equals(BY_PROFILE) ? "" : chosen.toString().trim();
  }

  void sides(List<String> sides, String chosen) {
    side.removeAllItems();
    side.addItem(BY_PROFILE);
    sides.forEach(side::addItem);
    side.setSelectedItem(chosen.isEmpty() ? BY_PROFILE : chosen);
  }

  boolean confirms() {
    return confirm.isSelected();
  }

  /** Whether the module has a button for the dice that may be asked for. */
  void hasDice(boolean has) {
    dice.setVisible(has);
  }

  boolean rollsModuleDice() {
    return dice.isVisible() && dice.isSelected();
  }

  boolean isAuto() {
    return auto.isSelected();
  }

  void setAuto(boolean on) {
    auto.setSelected(on);
  }

  void status(String text) {
    status.setText(text.length() > 120 ? text.substring(0, 119) + "…" : text);
    status.setToolTipText(text);
  }

  void line(boolean wanted, boolean up) {
    connect.setText(wanted ? "Disconnect" : "Connect");
    next.setEnabled(up);
  }

  /**
   * Asks the player. The window blocks nothing, and goes away at the deadline or when the answer is not wanted any more.
   *
   * @param roll what the module's die shows, if it has one that fits; else null
   */
  void ask(Object params, java.util.function.Supplier<String> roll, Consumer<String> answer) {
    final String id = Json.text(params, "promptId");
    final String known = answered.get(id);
    if (known != null) {
      answer.accept(known);
      return;
    }
    withdraw(id);
    final JDialog dialog = new JDialog(GameModule.getGameModule().getPlayerWindow(), "Tallyho asks", false);
    dialog.setName("tallyho-question");
    dialog.setDefaultCloseOperation(WindowConstants.DO_NOTHING_ON_CLOSE);
    final Consumer<String> chosen = choice -> {
      withdraw(id);
      remember(id, choice);
      answer.accept(choice);
    };
    final JTextArea text = new JTextArea(Json.text(params, "text"), 0, 48);
    text.setLineWrap(true);
    text.setWrapStyleWord(true);
    text.setEditable(false);
    text.setOpaque(false);
    text.setBorder(BorderFactory.createEmptyBorder(10, 10, 10, 10));
    final JPanel buttons = new JPanel(new FlowLayout(FlowLayout.CENTER, 6, 6));
    for (final Object option : options(params)) {
      final JButton button = new JButton(option.toString());
      button.addActionListener(e -> chosen.accept(option.toString()));
      buttons.add(button);
      if (option.equals(Json.field(params, "default"))) {
        dialog.getRootPane().setDefaultButton(button);
      }
    }
    if (roll != null) {
      final JButton button = new JButton("Roll the module's die");
      button.addActionListener(e -> {
        final String shown = roll.get();
        if (shown != null) {
          chosen.accept(shown);
        }
      });
      buttons.add(button);
    }
    if (Json.field(params, "input") != null || Json.text(params, "topic").equals("dice")) {
      final JTextField input = new JTextField(16);
      input.addActionListener(e -> {
        if (!input.getText().isBlank()) {
          chosen.accept(input.getText().trim());
        }
      });
      buttons.add(input);
    }
    dialog.getContentPane().add(text, BorderLayout.CENTER);
    dialog.getContentPane().add(buttons, BorderLayout.SOUTH);
    dialog.pack();
    dialog.setLocationRelativeTo(GameModule.getGameModule().getPlayerWindow());
    questions.put(id, dialog);
    // The program takes the default by itself; the window only must not stay.
    final Timer late = new Timer((int) Json.number(params, "deadlineMs", 60_000) + 1000, e -> withdraw(id));
    late.setRepeats(false);
    late.start();
    dialog.setVisible(true);
  }

  private static List<Object> options(Object params) {
    return new ArrayList<>(Json.list(params, "options"));
  }

  private void remember(String id, String choice) {
    answered.put(id, choice);
    order.add(id);
    if (order.size() > 32) {
      answered.remove(order.remove());
    }
  }

  /** A question is over. */
  void withdraw(String id) {
    final JDialog dialog = questions.remove(id);
    if (dialog != null) {
      dialog.dispose();
    }
  }

  /** All questions are void. */
  void forget() {
    new ArrayList<>(questions.keySet()).forEach(this::withdraw);
  }
}
