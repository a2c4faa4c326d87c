// Figures on the board: a disc each, with its letter and its hit points; a table of all of them below.
const { square, margin, doors } = data.table;
const cards = new Map(data.table.figures.map(figure => [figure.id, figure]));
const board = document.querySelector("#board svg");
function add(parent, name, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}
const layer = board && add(board, "g", {});
const list = element(at("board").parentNode.querySelector("section"), "table", "");
list.id = "figures";
function draw(index, { shows }) {
  list.replaceChildren();
  for (const figure of shows.figures) {
    const card = cards.get(figure.id);
    const kind = figure.hp === 0 ? "defeated" : figure.id === shows.figure ? "acts" : "";
    const line = element(list, "tr", "", kind);
    const force = figure.force ? "Force " + figure.force : "";
    for (const word of [figure.id, card.name, figure.hp + "/" + card.hp, force, figure.activated ? "activated" : ""])
      element(line, "td", word);
  }
  if (!layer) return;
  layer.replaceChildren();
  const px = squares => margin + squares * square;
  doors.forEach(([x1, y1, x2, y2], number) => {
    const open = shows.open.includes(number);
    add(layer, "line", { x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2), stroke: "#3aa0c8", "stroke-width": open ? 2 : 6,
      "stroke-dasharray": open ? "4 4" : "none" });
  });
  for (const figure of shows.figures) {
    const card = cards.get(figure.id);
    if (figure.hp === 0) continue;
    const x = px(figure.column + card.wide / 2), y = px(figure.row + card.high / 2);
    const r = Math.min(card.wide, card.high) * square / 2 - 4, acts = figure.id === shows.figure;
    const group = add(layer, "g", { class: "figure", opacity: figure.activated ? .6 : 1 });
    add(group, "circle", { cx: x, cy: y, r, fill: card.automated ? "#b3402e" : "#2b5fa8", stroke: acts ? "#111" : "#fff",
      "stroke-width": acts ? 4 : 1.5 });
    add(group, "text", { x, y: y + 1, "text-anchor": "middle", "font-size": square * .38 }, figure.id);
    add(group, "text", { x, y: y + square * .3, "text-anchor": "middle", "font-size": square * .24 }, figure.hp);
    const force = figure.force ? ", Force " + figure.force : "";
    add(group, "title", {}, `${card.name || figure.id}: ${figure.hp} of ${card.hp} hit points${force}. ${card.says}`);
  }
}
