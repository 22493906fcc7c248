/* What a search thinks: who, how much, which moves. The table has a fixed number of rows
   that take new contents, so that an update ten times a second moves nothing on the page
   and neither focus nor pointer loses its row. */

import { el } from "./dom.js";
import { actor, capital, number, short } from "./match/words.js";

const ROWS = 8;

/* True if visits say something: alpha-beta looks at every move once. */
function isCounted(thought) {
  return thought.moves.some((move) => move.visits > 1);
}

/* Weights for the board: shares of visits where a search counts them, else how near a
   value is to the best one. */
export function heatOf(thought) {
  if (!thought) return null;
  const moves = thought.moves.filter((move) => move.path?.length);
  const weight = isCounted(thought) ? byVisits(moves) : byValue(moves);
  return moves
    .map((move) => ({ path: move.path, board: move.board, weight: weight(move), text: Number.isFinite(move.value) ? number(move.value) : "" }))
    .filter((spot) => spot.weight > 0.01);
}

function byVisits(moves) {
  const most = Math.max(1, ...moves.map((move) => move.visits ?? 0));
  return (move) => (move.visits ?? 0) / most;
}

function byValue(moves) {
  const values = moves.map((move) => move.value).filter(Number.isFinite);
  const best = Math.max(...values);
  const range = Math.max(1, best - Math.min(...values));
  return (move) => (Number.isFinite(move.value) ? 1 - (0.85 * (best - move.value)) / range : 0);
}

/* "e2 to e4 looks best: about 61 of 100 points." */
export function adviceOf(thought) {
  const best = thought?.moves[0];
  if (!best) return "";
  const worth = Number.isFinite(best.value)
    ? `${best.proven ? "surely" : "about"} ${number(best.value)} of 100 points`
    : "";
  return `${best.say} looks best${worth ? `: ${worth}` : ""}.`;
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export class ThoughtView {
  /* preview(move or null): a move to be shown on the board. */
  constructor({ preview }) {
    this.preview = preview;
    this.said = el("p", { class: "thought-said" });
    this.figures = el("dl", { class: "thought-figures" });
    this.slots = Array.from({ length: ROWS }, (_, i) => this.makeSlot(i));
    this.more = el("p", { class: "thought-more" });
    this.table = el(
      "table",
      { class: "thought-moves" },
      el("caption", { class: "muted" }, "Moves it looks at"),
      el(
        "thead",
        {},
        el("tr", {}, ["Move", "Tried", "Worth", "Then expected"].map((name) => el("th", { scope: "col" }, name))),
      ),
      el("tbody", {}, this.slots.map(({ row }) => row)),
    );
    this.body = el("div", { class: "thought-body" }, this.said, this.figures, this.table, this.more);
    this.empty = el("p", { class: "muted" }, "Nothing has been thought here.");
    this.node = el("div", { class: "thought" }, this.body, this.empty);
    this.pairs = new Map();
  }

  makeSlot(index) {
    const slot = { move: null, index };
    slot.button = el("button", { type: "button", class: "thought-move" });
    slot.bar = el("span", { class: "thought-bar", "aria-hidden": "true" });
    slot.visits = el("span", { class: "thought-count" });
    slot.value = el("td", { class: "thought-value" });
    slot.line = el("td", { class: "thought-line" });
    slot.row = el(
      "tr",
      {
        on: {
          pointerenter: () => this.preview(slot.move),
          pointerleave: () => this.preview(null),
          focusin: () => this.preview(slot.move),
          focusout: () => this.preview(null),
        },
      },
      el("th", { scope: "row" }, slot.button),
      el("td", { class: "thought-visits" }, slot.bar, slot.visits),
      slot.value,
      slot.line,
    );
    slot.button.addEventListener("click", () => this.preview(slot.move));
    return slot;
  }

  show(thought, match, me) {
    this.body.hidden = !thought;
    this.empty.hidden = Boolean(thought);
    if (!thought) return;
    put(this.said, saidOf(thought, match, me));
    this.showFigures(thought);
    this.table.hidden = thought.moves.length === 0; /* the store keeps no moves */
    const most = isCounted(thought) ? Math.max(...thought.moves.map((move) => move.visits ?? 0)) : Infinity;
    this.slots.forEach((slot, i) => this.showMove(slot, thought.moves[i] ?? null, most));
    const rest = thought.moves.length - ROWS;
    put(this.more, rest > 0 ? `and ${rest} more` : "");
  }

  showFigures(thought) {
    const seconds = thought.seconds > 0 ? thought.seconds : null;
    this.pair("Time", seconds && `${number(seconds, 1)} s`);
    this.pair("Games tried", thought.simulations > 0 && rate(thought.simulations, seconds));
    this.pair("Positions", thought.states > 0 && rate(thought.states, seconds));
    this.pair("In the tree", thought.nodes > 0 && short(thought.nodes));
    this.pair("Moves ahead", thought.depth > 0 && `${number(thought.depth, 1)}${thought.deepened ? " and deeper" : ""}`);
  }

  pair(name, text) {
    let pair = this.pairs.get(name);
    if (!pair) {
      const value = el("dd", {});
      pair = { value, node: el("div", {}, el("dt", {}, name), value) };
      this.pairs.set(name, pair);
      this.figures.append(pair.node);
    }
    pair.node.hidden = !text;
    if (text) put(pair.value, text);
  }

  showMove(slot, move, most) {
    slot.move = move;
    slot.row.hidden = !move;
    if (!move) return;
    put(slot.button, move.say);
    put(slot.visits, move.visits > 0 && most < Infinity ? short(move.visits) : "–");
    slot.bar.style.setProperty("--share", ((move.visits ?? 0) / most).toFixed(3));
    const worth = Number.isFinite(move.value) ? number(move.value, 1) : "–";
    put(slot.value, move.proven ? `${worth} sure` : worth);
    const line = (move.line ?? []).slice(1).join(", "); /* it begins with the move */
    put(slot.line, line);
    slot.line.title = line;
  }
}

function rate(count, seconds) {
  return seconds ? `${short(count)}, ${short(count / seconds)} a second` : short(count);
}

function saidOf(thought, match, me) {
  const { roles } = match.head;
  const role = roles[thought.role]?.name ?? "";
  const hint = thought.purpose === "hint";
  const who = hint ? "The hint" : capital(actor(match, thought.role, me));
  const way = thought.who ? `, by ${thought.who},` : "";
  if (!Number.isFinite(thought.value)) return `${who}${way} has no opinion yet.`;
  const worth = `${number(thought.value, 1)} of 100 points${roles.length > 1 ? ` for ${role}` : ""}`;
  return thought.proven ? `${who}${way} has proved it: ${worth}.` : `${who}${way} expects ${worth}.`;
}
