/* Pieces whose names are codes: all of one length, with two letters at each of
   two to four positions. Such a set, as that of Quarto, is drawn by its traits:
   light or dark, tall or short, square or round, hollow or solid. */
import { svg } from "./dom.js";

/* Which letter has the trait, of a pair; pairs that say nothing take them by
   the alphabet. */
const MEANINGS = ["ld", "te ts", "qr sr", "hf hs ho"];

function has(position, pair, letter) {
  const known = MEANINGS[position].split(" ").find((two) => pair.has(two[0]) && pair.has(two[1]));
  return letter === (known ? known[0] : [...pair].sort()[0]);
}

function letters(names) {
  const length = names[0].length;
  if (length < 2 || length > 4 || names.some((name) => name.length !== length || !/^[a-z]+$/i.test(name))) return null;
  const sets = Array.from({ length }, (_, i) => new Set(names.map((name) => name[i])));
  return sets.every((set) => set.size === 2) && 2 ** length >= names.length ? sets : null;
}

/* Returns the pieces, those of such a set with `traits`, a list of truths. */
export function withTraits(pieces) {
  const coded = pieces.filter((piece) => piece.shape === "number" && piece.text && piece.value == null);
  const sets = coded.length > 4 ? letters(coded.map((piece) => piece.text)) : null;
  if (!sets) return pieces;
  return pieces.map((piece) => coded.includes(piece)
    ? { ...piece, traits: sets.map((set, i) => has(i, set, piece.text[i])) } : piece);
}

export function drawTraits({ text, traits: [light, tall = true, square = false, hollow = false] }) {
  const r = tall ? 33 : 21;
  const body = square ? svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r, rx: 5, class: "piece-body" }) : svg("circle", { r, class: "piece-body" });
  return svg("g", { class: `piece piece-traits side-${light ? 0 : 1}` },
    svg("g", { transform: "translate(0 -9)" }, body, hollow && svg("circle", { r: r * 0.45, class: "piece-hollow" })),
    svg("text", { class: "piece-code", "text-anchor": "middle", y: 44, "font-size": 18 }, text));
}
