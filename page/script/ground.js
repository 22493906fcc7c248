/* What lies below the pieces: plates, cells, lines, poles, labels. */
import { svg } from "./dom.js";
import { UNIT } from "./layout.js";

const group = (name, ...children) => svg("g", { class: `board-${name}`, "aria-hidden": "true" }, ...children);
const box = ({ x, y, width, height }, name, rx = 0) => svg("rect", { x, y, width, height, rx, class: name });
const line = (d, name) => svg("path", { d, class: name });

export function drawGround(board, layout) {
  const draw = { points: drawPoints, holes: drawHoles }[board.style] ?? { tower: drawTower, hex: drawCells, ring: drawRing }[board.shape] ?? drawCells;
  return group("ground", draw(board, layout), drawParts(board, layout), drawFrames(board, layout),
    layout.labels.map(({ x, y, text, anchor }) => label(layout, x, y, text, anchor)));
}

/* Labels of large boards are larger, since their places are smaller on the screen. */
function label({ span }, x, y, text, anchor = "middle") {
  const size = Math.max(17, Math.min(36, 27 * Math.sqrt(span / 8))) * (text.length > 3 && !text.startsWith("Layer") ? 0.8 : 1);
  return svg("text", { class: "board-label", x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, "font-size": size.toFixed(1) }, text);
}

function shade(board, place) {
  if (board.checkered) return isDark(board, place) ? "is-dark" : "is-light";
  return board.shape === "hex" && board.style !== "discs" ? `is-hex-${((place.column - place.row) % 3 + 3) % 3}` : "is-light";
}

/* The place at the lower left is dark, unless the board says otherwise. */
export function isDark(board, place) {
  const height = board.up ? place.row : board.rows - 1 - place.row;
  return (place.column + height) % 2 === (board.swapped ? 1 : 0);
}

function drawCells(board, layout) {
  const round = board.style === "discs";
  const cells = layout.places.filter(Boolean).map((place) => svg("path", { d: place.spot, transform: `translate(${place.x} ${place.y})`,
    class: `board-cell ${round ? "is-hole" : shade(board, place)}` }));
  return [round ? plates(board, layout) : null, drawGaps(board, layout), cells];
}

/* Where the places of a panel are: at(column, line from above) -> PLACE or null. */
function lines(board, layout, index) {
  const first = index * board.rows * board.columns;
  return (x, line) => x < 0 || line < 0 || x >= board.columns || line >= board.rows ? undefined
    : layout.places[first + (board.up ? board.rows - 1 - line : line) * board.columns + x];
}

/* Places that are missing within a grid. On a checkered board of which one
   shade is missing they are empty squares; enclosed ones are blocks; those
   around the board are nothing. */
function drawGaps(board, layout) {
  if (board.shape !== "grid" || !board.missing?.length) return null;
  return layout.panels.map((panel, index) => {
    const at = lines(board, layout, index);
    const outside = board.checkered ? new Set() : floodOutside(board, at);
    const nodes = [];
    for (let line = 0; line < board.rows; line++) {
      for (let x = 0; x < board.columns; x++) {
        if (at(x, line) === null && !outside.has(line * board.columns + x)) nodes.push(gap(board, panel, x, line));
      }
    }
    return nodes;
  });
}

function gap(board, panel, x, row) {
  const dark = isDark(board, { column: x, row: board.up ? board.rows - 1 - row : row });
  const [left, top] = [panel.x + x * UNIT, panel.y + row * UNIT];
  const square = { x: left, y: top, width: UNIT, height: UNIT };
  if (board.checkered && half(board)) return box(square, `board-cell is-${dark ? "dark" : "light"}`);
  return [box(square, "board-block"), line(`M${left} ${top + 50}l50 -50M${left} ${top + 100}l100 -100M${left + 50} ${top + 100}l50 -50`, "board-hatch")];
}

const half = (board) => board.missing.length * 2 >= board.columns * board.rows * board.layers - board.columns;

/* Missing places from which the edge can be reached over missing ones. */
function floodOutside(board, at) {
  const seen = new Set();
  const visit = (x, line) => {
    const key = line * board.columns + x;
    if (at(x, line) !== null || seen.has(key)) return;
    seen.add(key);
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) visit(x + dx, line + dy);
  };
  for (let x = 0; x < board.columns; x++) [0, board.rows - 1].forEach((line) => visit(x, line));
  for (let line = 0; line < board.rows; line++) [0, board.columns - 1].forEach((x) => visit(x, line));
  return seen;
}

/* A plate behind a whole panel, where no place is missing at its corners. */
function plates(board, layout, name = "board-plate") {
  if (board.shape === "hex") return drawLinks(layout, " is-open");
  return layout.panels.map((panel) => box(panel, name, 14));
}

function drawHoles(board, layout) {
  return [plates(board, layout, "board-plate is-stand"), layout.places.filter(Boolean).map((place) =>
    svg("circle", { cx: place.x, cy: place.y, r: UNIT * 0.41, class: "board-cell is-hole" }))];
}

function drawPoints(board, layout) {
  return [plates(board, layout), drawLinks(layout)];
}

/* Lines between the centres of places that lie side by side. */
function drawLinks(layout, more = "") {
  const there = layout.places.filter(Boolean);
  const d = [];
  for (const a of there) {
    for (const b of there) {
      if (b.number > a.number && a.panel === b.panel && Math.hypot(a.x - b.x, a.y - b.y) < 1.05 * UNIT) d.push(`M${a.x} ${a.y}L${b.x} ${b.y}`);
    }
  }
  return line(d.join(""), `board-links${more}`);
}

function drawRing(board, layout) {
  const [panel] = layout.panels;
  const first = layout.places.find(Boolean);
  const [cx, cy] = [panel.x + panel.width / 2, panel.y + panel.height / 2];
  return [svg("circle", { cx, cy, r: Math.hypot(first.x - cx, first.y - cy), class: "board-links is-open" }),
    layout.places.filter(Boolean).map((place) => [
      svg("path", { d: place.spot, transform: `translate(${place.x} ${place.y})`, class: "board-cell is-light" }),
      board.x && label(layout, place.x + (cx - place.x) * ringInset(panel), place.y + (cy - place.y) * ringInset(panel) + 9, String(board.x[place.column]))])];
}

const ringInset = (panel) => 0.72 * UNIT / (panel.width / 2 - 0.55 * UNIT);

function drawTower(board, layout) {
  const nodes = [];
  for (const panel of layout.panels) {
    const bottom = panel.y + panel.height - 0.1 * UNIT;
    const columns = layout.places.filter((place) => place && place.row === 0 && place.y < panel.y + panel.height);
    if (board.bars) for (const place of columns) nodes.push(line(`M${place.x} ${panel.y + 8}V${bottom}`, "board-pole"));
    nodes.push(svg("rect", { x: panel.x, y: bottom - 2, width: panel.width, height: 14, rx: 5, class: "board-base" }));
  }
  return nodes;
}

/* Thicker lines around parts of a board: every so many columns and rows. */
function drawParts(board, layout) {
  if (!board.parts) return null;
  const { columns, rows } = board.parts;
  return layout.panels.map((panel) => {
    const d = [];
    for (let x = columns; x < board.columns; x += columns) d.push(`M${panel.x + x * UNIT} ${panel.y}v${panel.height}`);
    for (let y = rows; y < board.rows; y += rows) d.push(`M${panel.x} ${panel.y + y * UNIT}h${panel.width}`);
    return line(d.join(""), "board-part");
  });
}

/* Frames: wherever a place borders on none. */
function drawFrames(board, layout) {
  const framed = ["grid", "cube"].includes(board.shape) || board.shape === "row" && !["stack", "heaps"].includes(board.style) && board.columns <= 12;
  if (!framed || ["points", "holes", "discs"].includes(board.style)) return null;
  const whole = board.checkered && board.missing?.length && half(board) || !board.missing?.length;
  if (whole) return layout.panels.map((panel) => box(panel, "board-frame"));
  return layout.panels.map((panel, index) => line(outline(board, lines(board, layout, index)), "board-frame"));
}

function outline(board, at) {
  const d = [];
  for (let y = 0; y < board.rows; y++) {
    for (let x = 0; x < board.columns; x++) {
      const place = at(x, y);
      if (!place) continue;
      const [left, right, top, bottom] = [place.x - UNIT / 2, place.x + UNIT / 2, place.y - UNIT / 2, place.y + UNIT / 2];
      if (!at(x - 1, y)) d.push(`M${left} ${top}V${bottom}`);
      if (!at(x + 1, y)) d.push(`M${right} ${top}V${bottom}`);
      if (!at(x, y - 1)) d.push(`M${left} ${top}H${right}`);
      if (!at(x, y + 1)) d.push(`M${left} ${bottom}H${right}`);
    }
  }
  return d.join("");
}
