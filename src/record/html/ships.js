// Ships on the table: how every ship stands at every moment, from what changed.
const ships = data.table.ships;
const colours = Object.fromEntries(data.table.sides);
const SVG = "http://www.w3.org/2000/svg";
const states = [];
let state = ships.map(() => null);
for (const { shows } of moments) {
  if (shows.ships.length) {
    state = state.slice();
    for (const [index, stands] of shows.ships) state[index] = stands;
  }
  states.push(state);
}
function label(parent, text, colour, kind) {
  const child = document.createElementNS(SVG, "text");
  if (colour) child.setAttribute("fill", colour);
  if (kind) child.setAttribute("class", kind);
  child.textContent = text;
  parent.append(child);
  return child;
}
const sheet = document.querySelector("#board svg").viewBox.baseVal;
const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));
// Puts a ship's name and what it has beside it: where they are on the sheet and cover least of what is there.
function put(lines, ship, stands, taken) {
  const w = Math.max(...lines.map(line => line.getComputedTextLength())), h = 12 * lines.length + 2;
  const gap = ship.half + 6, corner = ship.half * 1.42 + 4;
  const right = stands.x + gap, left = stands.x - gap - w, middle = stands.x - w / 2;
  const level = stands.y - h / 2, over = stands.y - gap / 2 - h, under = stands.y + gap / 2;
  const places = [
    [right, level], [left, level], [middle, stands.y + corner], [middle, stands.y - corner - h],
    [right, under], [right, over], [left, under], [left, over],
  ];
  let best = null, least = Infinity;
  places.forEach(([x, y], order) => {
    // What would be cut off is moved back onto the sheet.
    const box = {
      x: Math.max(sheet.x + 2, Math.min(x, sheet.x + sheet.width - w - 2)),
      y: Math.max(sheet.y + 2, Math.min(y, sheet.y + sheet.height - h - 2)), w, h,
    };
    const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0) + order;
    if (covered < least) { least = covered; best = box; }
  });
  taken.push(best);
  lines.forEach((line, row) => {
    line.setAttribute("x", best.x);
    line.setAttribute("y", best.y + 11 + 12 * row);
  });
}
function draw(index, { shows }) {
  const names = at("names");
  names.replaceChildren();
  // Bases are not written over, either.
  const taken = ships.flatMap((ship, number) => {
    const stands = states[index][number], side = 2 * ship.half;
    return stands ? [{ x: stands.x - ship.half, y: stands.y - ship.half, w: side, h: side }] : [];
  });
  ships.forEach((ship, number) => {
    const group = at("ship-" + number);
    const stands = states[index][number];
    group.setAttribute("display", stands ? "inline" : "none");
    group.classList.toggle("actor", shows.actor === number);
    if (!stands) return;
    group.setAttribute("transform", stands.at);
    const lines = [label(names, ship.name, colours[ship.side])];
    if (stands.has) lines.push(label(names, stands.has, null, "has"));
    put(lines, ship, stands, taken);
  });
  at("below").innerHTML = shows.below || "";
  at("above").innerHTML = shows.above || "";
}
