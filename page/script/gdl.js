/* GDL with colours. A text is cut into tokens whose texts, joined, are the text again:
   comments (; to the end of the line), words of GDL, variables, brackets, names, blanks.
   Whatever the text is, it is cut in one pass and nothing is lost. */

import { el } from "./dom.js";

const WORDS = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "not", "or", "and", "distinct", "<=", "sees", "random"]);
const TOKEN = /;[^\n]*|\n|[^\S\n]+|[()]|[^\s();]+/g;

/* -> [{kind, text}]; kind: comment, word, variable, bracket, name, blank (a line's end is
   a blank of its own). */
export function tokens(text) {
  return (text.match(TOKEN) ?? []).map((piece) => ({ kind: kindOf(piece), text: piece }));
}

function kindOf(piece) {
  const first = piece[0];
  if (first === ";") return "comment";
  if (first === "(" || first === ")") return "bracket";
  if (/\s/.test(first)) return "blank";
  if (first === "?") return "variable";
  return WORDS.has(piece.toLowerCase()) ? "word" : "name";
}

/* -> nodes: spans of class gdl-KIND, and plain text where there is no colour. */
export function colour(text) {
  const nodes = [];
  let plain = "";
  for (const token of tokens(text)) {
    if (token.kind === "blank" || token.kind === "name") {
      plain += token.text;
      continue;
    }
    if (plain) nodes.push(document.createTextNode(plain));
    plain = "";
    nodes.push(el("span", { class: `gdl-${token.kind}` }, token.text));
  }
  if (plain) nodes.push(document.createTextNode(plain));
  return nodes;
}

/* The same, a line each, for a listing with numbers. */
export function lines(text) {
  return text.replace(/\n$/, "").split("\n").map((line) => el("span", { class: "gdl-line" }, colour(line), "\n"));
}
