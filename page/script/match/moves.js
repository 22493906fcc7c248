/* The list of all legal moves: to search in, to choose from, with the keyboard too. It is
   one stop of the tab key; arrows move within it.

   Focus that is in the list stays there when the moves change: on the list itself while
   there is nothing to choose, then on its first move. */

import { el, clear, icon } from "../dom.js";

const MOST = 240; /* buttons at a time; the search finds the others */
const SEARCHED = 10; /* with more moves than this there is a search */
const LOOSE = 12;

export class MoveList {
  /* choose(move), preview(move or null) */
  constructor({ choose, preview }) {
    this.choose = choose;
    this.preview = preview;
    this.moves = null;
    this.chosen = null;
    this.search = el("input", {
      type: "search",
      class: "moves-search",
      placeholder: "Search moves",
      "aria-label": "Search moves",
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this.fill(), keydown: (event) => this.searchKey(event) },
    });
    this.list = el("ul", {
      class: "moves-list",
      tabindex: -1,
      "aria-label": "Moves to choose from",
      on: {
        keydown: (event) => this.listKey(event),
        click: (event) => this.pick(event.target),
        pointerover: (event) => this.glance(event.target),
        pointerleave: () => this.preview(null),
        focusin: (event) => this.glance(event.target),
        focusout: () => this.preview(null),
      },
    });
    this.rest = el("p", { class: "muted moves-rest" });
    this.node = el("div", { class: "moves" }, this.search, this.list, this.rest);
  }

  /* chosen: the text of the move that is chosen already, or null. */
  show(moves, chosen) {
    if (moves !== this.moves) {
      this.moves = moves;
      this.search.value = "";
      this.chosen = chosen;
      this.fill();
    } else if (chosen !== this.chosen) {
      this.chosen = chosen;
      this.press();
    }
  }

  /* What the list says while it is empty. */
  explain(words) {
    if (this.list.dataset.empty !== words) this.list.dataset.empty = words;
  }

  fill() {
    const all = this.moves ?? [];
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? all.filter((move) => fits(move, words)) : all;
    const held = this.list.contains(document.activeElement);
    this.search.hidden = all.length <= SEARCHED && document.activeElement !== this.search;
    this.shown = found.slice(0, MOST);
    clear(this.list).append(...this.shown.map((move, i) => this.item(move, i)));
    this.list.style.setProperty("--word", longestWord(this.shown));
    this.press();
    const more = found.length - this.shown.length;
    this.rest.textContent = more > 0 ? `and ${more} more: search for them` : all.length && !found.length ? "No move has these words." : "";
    if (held) (this.buttonAt(0) ?? this.list).focus({ preventScroll: true });
  }

  item(move, index) {
    const button = el("button", { type: "button", class: "moves-item", tabindex: index ? -1 : 0, "data-index": index },
      icon("check"), el("span", {}, move.say));
    return el("li", {}, button);
  }

  press() {
    this.list.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-pressed", this.shown[i].move === this.chosen);
    });
  }

  buttonAt(index) {
    return this.list.children[index]?.firstElementChild ?? null;
  }

  moveOf(target) {
    const button = target.closest?.("button");
    return button ? this.shown[Number(button.dataset.index)] : null;
  }

  pick(target) {
    const move = this.moveOf(target);
    if (move) this.choose(move);
  }

  glance(target) {
    const move = this.moveOf(target);
    if (move) this.preview(move);
  }

  listKey(event) {
    const at = Number(event.target.dataset?.index ?? -1);
    const end = this.shown.length - 1;
    const goals = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: end };
    if (!(event.key in goals) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (goals[event.key] < 0 && !this.search.hidden) this.search.focus();
    else this.rove(Math.max(0, Math.min(end, goals[event.key])));
  }

  rove(index) {
    const button = this.buttonAt(index);
    if (!button) return;
    this.list.querySelector('[tabindex="0"]')?.setAttribute("tabindex", -1);
    button.setAttribute("tabindex", 0);
    button.focus();
  }

  searchKey(event) {
    if (event.key === "ArrowDown") this.rove(0);
    else if (event.key === "Enter" && this.shown.length === 1) this.choose(this.shown[0]);
    else if (event.key === "Enter") this.rove(0);
    else return;
    event.preventDefault();
  }
}

/* Moves that name no place cannot be clicked on a board; if they are few, they are buttons
   below it. Their room is kept while others move, so that nothing jumps. */
export class LooseMoves {
  /* choose(move) */
  constructor({ choose }) {
    this.choose = choose;
    this.moves = null;
    this.node = el("div", { class: "loose row", role: "group", "aria-label": "Moves without a place on the board", hidden: true });
  }

  /* over: there will be no more moves. */
  show(moves, chosen, over) {
    if (over) this.node.hidden = true;
    this.node.classList.toggle("loose-off", !moves);
    if (moves && moves !== this.moves) {
      this.moves = moves;
      const loose = moves.filter((move) => move.board === null || !move.path?.length);
      this.shown = loose.length <= LOOSE ? loose : [];
      this.node.hidden = !this.shown.length;
      clear(this.node).append(...this.shown.map((move) =>
        el("button", { type: "button", class: "button", on: { click: () => this.choose(move) } }, move.say)));
    }
    [...this.node.children].forEach((button, i) => button.setAttribute("aria-pressed", this.shown[i].move === chosen));
  }
}

/* In characters: columns are wide enough not to break it. */
function longestWord(moves) {
  return moves.reduce((most, { say }) => Math.max(most, ...say.split(" ").map((word) => word.length)), 0);
}

function fits(move, words) {
  const text = `${move.say} ${move.move}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
