/* Pieces as SVG. Every shape is drawn around (0, 0) in a square of 100.

   A side is told by fill and outline (light, dark, …) and, for round pieces,
   by a sign in the middle: side 1 has a ring, side 2 a triangle and so on, so
   that no two sides differ by colour alone. Colours come from board.css by the
   class side-N. */
import {svg} from "./dom.js";
import {drawTraits} from "./traits.js";

const OUTLINES = {
  pawn: "M-25 37V30C-25 23-14 20-11 8L-8-2H-13V-8H-8A15.5 15.5 0 1 1 8-8H13V-2H8L11 8C14 20 25 23 25 30V37Z",
  rook: "M-28 37V29H-21L-17-8L-25-14V-36H-14V-28H-6V-36H6V-28H14V-36H25V-14L17-8L21 29H28V37Z",
  knight: "M-22 37V30H-16C-17 15 3 10 3-4C-3 1-10 1-14 4L-20 12C-23 14-28 11-30 6C-31 3-29-1-26-5C-21-20-16-26-4-29" +
          "L-2-39L6-30C22-26 27-4 22 30H27V37Z",
  bishop: "M-26 37V30H-15C-13 22-9 14-8 7H-15V0H-10C-21-8-20-20-3-33A5 5 0 1 1 3-33C20-20 21-8 10 0H15V7H8C9 14 13 22 15 30" +
          "H26V37Z",
  queen: "M-26 37V30H-18C-16 18-14 9-14 3H-20V-4H-15L-30-26A4 4 0 1 1-25-28L-15-16L-12-33A4 4 0 1 1-7-33L0-18L7-33" +
         "A4 4 0 1 1 12-33L15-16L25-28A4 4 0 1 1 30-26L15-4H20V3H14C14 9 16 18 18 30H26V37Z",
  king: "M-26 37V30H-18C-16 18-14 9-14 3H-20V-4H-15L-22-19C-16-26-7-26-3-24V-29H-9V-35H-3V-42H3V-35H9V-29H3V-24" +
        "C7-26 16-26 22-19L15-4H20V3H14C14 9 16 18 18 30H26V37Z"
};

const DETAILS = {
  knight: "M-11-17a2.4 2.4 0 1 0 .1 0M-18 24H21",
  rook: "M-18-8H18M-20 29H20",
  bishop: "M0-23V-9M-6-16H6M-15 30H15",
  queen: "M-15-4H15M-18 30H18",
  king: "M-15-4H15M-18 30H18",
  pawn: "M-23 30H23"
};

const CROWN = "M-17 12L-20-10L-9-1L0-15L9-1L20-10L17 12Z";

/* Signs of the sides 1, 2, … */
const SIGNS = [
  "", "M-25 0a25 25 0 1 0 50 0a25 25 0 1 0-50 0z", "M0-15L14 10H-14Z", "M-11-11H11V11H-11Z",
  "M-13 0H13M0-13V13", "M0-15L13 0L0 15L-13 0Z"
];

const sideClass = (side) => side == null ? "side-none" : `side-${side % 6}`;

const path = (d, name) => svg("path", {d, class: name});
const round = (r, name) => svg("circle", {r, class: name});

/* Text that keeps within a width. */
function words(text, size, width, name) {
  const glyphs = Math.max(1, [...text].length);
  const fits = Math.min(size, width / (glyphs * 0.6));
  return svg("text", {class: name, "text-anchor": "middle", y: (fits * 0.355).toFixed(1), "font-size": fits.toFixed(1)}, text);
}

const figure = (kind) => () => [path(OUTLINES[kind], "piece-body"), path(DETAILS[kind], "piece-detail")];

function sign(piece, scale = 1) {
  const d = SIGNS[(piece.side ?? 0) % 6];
  return d ? [svg("path", {d, class: "piece-sign", transform: `scale(${scale})`})] : [];
}

/* A round piece lies on the board: it has a shadow. */
const counter = (r) => [svg("circle", {r, cy: 4, class: "piece-shadow"}), round(r, "piece-body")];
const man = () => [...counter(37), round(28, "piece-detail")];

const DRAW = {
  pawn: figure("pawn"),
  rook: figure("rook"),
  knight: figure("knight"),
  bishop: figure("bishop"),
  queen: figure("queen"),
  king: figure("king"),
  man: (piece) => [...man(), ...(piece.side > 1 ? sign(piece) : [])],
  crown: () => [...man(), path(CROWN, "piece-crown")],
  disc: (piece) => [...counter(38), ...sign(piece)],
  ring: () => [round(27, "piece-rim"), round(27, "piece-hoop")],
  cross: () => [path("M-25-25L25 25M25-25L-25 25", "piece-rim"), path("M-25-25L25 25M25-25L-25 25", "piece-hoop")],
  square: (piece) => [svg("rect", {x: -40, y: -40, width: 80, height: 80, rx: 10, class: "piece-body"}),
    ...(piece.letter ? [words(piece.letter, 46, 64, "piece-ink")] : sign(piece))],
  wall: () => [svg("rect", {x: -50, y: -50, width: 100, height: 100, class: "piece-wall"}),
               path("M-50 0L0-50M-50 50L50-50M0 50L50 0", "piece-hatch")],
  dot: () => [round(12, "piece-body")],
  lamp: () => [round(38, "piece-body"), path("M0-24V-14M0 14V24M-24 0H-14M14 0H24M-17-17L-10-10M17-17L10-10M-17 17L-10 10M17 17L10 10",
    "piece-detail"), round(9, "piece-ink")],
  bomb: (piece) => [path("M14-26C20-44 34-40 36-30", "piece-detail"), svg("circle", { cy: 4, r: 31, class: "piece-body" }),
    svg("g", { transform: "translate(0 4)" }, words(piece.text ?? "", 38, 40, "piece-ink"))],
  fire: () => [path("M0-42C6-24 27-16 27 10A27 27 0 0 1-27 10C-27-2-19-8-17-20C-8-16-3-24 0-42Z", "piece-body"),
               path("M1-4C4 4 12 8 12 18A12 12 0 0 1-12 18C-12 10-2 6 1-4Z", "piece-detail")],
  token: (piece) => [...counter(38), piece.letter ? words(piece.letter, 44, 56, "piece-ink") : sign(piece)],
  letter: (piece) => [words(piece.letter || piece.name, 74, 92, "piece-letter")],
  number: (piece) => [svg("rect", {x: -44, y: -44, width: 88, height: 88, rx: 12, class: "piece-body"}),
    words(piece.text ?? String(piece.value ?? piece.letter), 56, 72, "piece-ink")],
  none: () => []
};

/* A lying bar: in a tower or stack, its width tells its value. */
function bar(piece, place, most) {
  const share = most > 1 ? (piece.value - 1) / (most - 1) : 1;
  const w = place.w * (0.26 + 0.6 * share);
  const h = place.h * 0.88;
  const text = piece.text ?? String(piece.value ?? "");
  return [svg("rect", {x: -w / 2, y: -h / 2, width: w, height: h, rx: h * 0.42, class: "piece-body"}),
          words(text, h * 0.62, w * 0.8, "piece-ink")];
}

/* A heap of counters, from the ground up, and their number. */
function heap(piece, place, most) {
  const count = Math.max(0, piece.value || 0);
  const h = (place.h - 40) / Math.max(1, most);
  const nodes = [];
  for (let i = 0; i < count; i++) {
    nodes.push(svg("rect", {x: -place.w * 0.38, y: place.h / 2 - (i + 1) * h + h * 0.08, width: place.w * 0.76,
    height: h * 0.84, rx: h * 0.4, class: "piece-body"}));
  }
  nodes.push(svg("text", {class: "piece-count", "text-anchor": "middle", "font-size": 30,
    y: place.h / 2 - count * h - 10}, String(count)));
  return nodes;
}

/* A letter in a tower stands on a block. */
function kindOf(piece, board) {
  if (piece.traits) return "traits";
  if (piece.shape === "letter" && board.shape === "tower") return "square";
  return DRAW[piece.shape] || piece.shape === "bar" ? piece.shape : "token";
}

function drawPiece(piece, place, board) {
  const kind = kindOf(piece, board);
  if (kind === "traits") return drawTraits(piece);
  const name = `piece piece-${kind} ${sideClass(piece.side)}`;
  if (kind === "bar") {
    return svg("g", {class: name}, (board.style === "heaps" ? heap : bar)(piece, place, board.most));
  }
  return svg("g", {class: name}, DRAW[kind](piece));
}

const FLAT = new Set(["wall", "square", "dot", "lamp", "fire", "none"]);
const SPREAD = {1: [[0, 0]], 2: [[-21, -12], [21, 12]], 3: [[-22, -20], [22, -20], [0, 22]],
                4: [[-23, -23], [23, -23], [-23, 23], [23, 23]]};
const SHRINK = {1: 1, 2: 0.66, 3: 0.54, 4: 0.5};

/* Things upon each other: what is flat lies below, figures share the place. */
export function drawPile(pieces, place, board) {
  const figures = pieces.filter((piece) => !FLAT.has(piece.shape));
  const flat = pieces.filter((piece) => FLAT.has(piece.shape));
  const shown = figures.slice(0, 4);
  const nodes = flat.map((piece) => scaled(drawPiece(piece, place, board), place, 1, [0, 0]));
  shown.forEach((piece, index) => {
    const node = drawPiece(piece, place, board);
    nodes.push(piece.shape === "bar" ? node : scaled(node, place, SHRINK[shown.length], SPREAD[shown.length][index]));
  });
  return nodes;
}

function scaled(node, place, scale, [x, y]) {
  const unit = place.size / 100;
  if (unit !== 1 || scale !== 1) {
    node.setAttribute("transform", `translate(${x * unit} ${y * unit}) scale(${(unit * scale).toFixed(3)})`);
  }
  return node;
}
