/* Pieces whose names are codes: all of one length, with two letters or digits at
   each of two to four positions and the same at all others. Such a set, as that
   of Quarto, is drawn by its traits: light or dark, tall or short, square or
   round, hollow or solid. */
import { svg } from "./dom.js";

/* Which letter has the trait, of a pair; pairs that say nothing take them by
   the alphabet. */
const MEANINGS = ["ld", "te ts", "qr sr", "hf hs ho"];

function has(position, pair, letter) {
  const known = MEANINGS[position].split(" ").find((two) => pair.has(two[0]) && pair.has(two[1]));
  return letter === (known ? known[0] : [...pair].sort()[0]);
}

/* Which positions tell the pieces apart, and by which two characters each. */
function positions(names) {
  const { length } = names[0];
  if (names.some((name) => name.length !== length || !/^[a-z0-9]+$/i.test(name))) return null;
  const all = Array.from({ length }, (_, at) => ({ at, pair: new Set(names.map((name) => name[at])) })).filter(({ pair }) => pair.size > 1);
  return all.length > 1 && all.length <= MEANINGS.length && all.every(({ pair }) => pair.size === 2) ? all : null;
}

/* Returns the pieces, those of such a set with `traits`, a list of truths. */
export function withTraits(pieces) {
  const coded = pieces.filter((piece) => piece.shape === "number" && piece.text && piece.value == null);
  const told = coded.length > 4 ? positions(coded.map((piece) => piece.text)) : null;
  if (!told) return pieces;
  return pieces.map((piece) => coded.includes(piece)
    ? { ...piece, traits: told.map(({ at, pair }, i) => has(i, pair, piece.text[at])) } : piece);
}

export function drawTraits({ text, traits: [light, tall = true, square = false, hollow = false] }) {
  const r = tall ? 33 : 21;
  const body = square ? svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: 5, class: "piece-body" }) : svg("circle", { r, class: "piece-body" });
  return svg("g", { class: `piece piece-traits side-${light ? 0 : 1}` },
    svg("g", { transform: "translate(0 -9)" }, body, hollow && svg("circle", { r: r * 0.45, class: "piece-hollow" })),
    svg("text", { class: "piece-code", "text-anchor": "middle", y: 44, "font-size": 18 }, text));
}
