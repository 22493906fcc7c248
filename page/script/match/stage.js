/* The board of a match, or the game's own picture of the state in a frame without rights.
   Nothing is drawn twice: each setting is compared with the last one. */

import { el, clear, icon } from "../dom.js";
import { address } from "../api.js";
import { BoardView } from "../board.js";
import { heatOf } from "../thought.js";
import { movers } from "./model.js";

export class Stage {
  /* path: of the match under api/; changed(): the kind of picture has changed */
  constructor({ path }) {
    this.path = path;
    this.box = el("div", { class: "stage-board" });
    this.own = false;
    this.choice = el("button", { type: "button", class: "button quiet stage-choice", "aria-pressed": "false", hidden: true, on: { click: () => this.setOwn(!this.own) } },
      icon("eye"), "The game's own picture");
    this.remarks = el("p", { class: "stage-remarks muted" });
    this.node = el("div", { class: "stage" }, this.box, this.remarks, this.choice);
    this.last = []; /* the moves that led to the state, and one that is chosen */
    this.pointed = null;
    this.key = null;
    this.view = null;
    this.before = {};
  }

  /* A new scene makes a new board; one that says the same does not. */
  setHead(head) {
    const key = JSON.stringify(head.scene);
    this.choice.hidden = !head.stylesheet;
    if (key === this.key) return;
    this.key = key;
    this.view?.destroy();
    this.view = new BoardView(head.scene, { label: `Board of ${head.title}` });
    this.before = {};
    if (!this.own) clear(this.box).append(this.view.node);
  }

  setOwn(own) {
    this.own = own;
    this.choice.setAttribute("aria-pressed", own);
    clear(this.box);
    this.frame = own ? el("iframe", { class: "stage-frame", sandbox: "", title: "The game's own picture of the position" }) : null;
    this.box.append(own ? this.frame : this.view.node);
    this.aim();
  }

  aim() {
    const src = address(`${this.path}/steps/${this.step ?? 0}/view`);
    if (this.frame && this.frame.getAttribute("src") !== src) this.frame.setAttribute("src", src);
  }

  show(step) {
    this.step = step.number;
    this.aim();
    if (!this.fresh("step", step)) return;
    this.view.show(step.state);
    this.remarks.hidden = !this.view.faces.length; /* the facts say it all */
    this.remarks.textContent = (step.state.remarks ?? []).filter((remark) => !/ to move$/.test(remark)).join(" · ");
    this.last = movers(step).map((r) => step.moves[r]);
    this.pointed = null;
    this.mark();
  }

  /* The first state, while the rules are still being read. */
  showEarly(state) {
    if (this.fresh("early", state)) this.view.show(state);
  }

  /* The choice that a person has made in this turn, or null. */
  choose(move) {
    this.chosen = move;
    this.mark();
  }

  /* A move that somebody points at, or null. */
  preview(move) {
    this.pointed = move;
    this.mark();
  }

  mark() {
    const move = this.pointed ?? this.chosen ?? null;
    if (this.fresh("marked", move ?? this.last)) this.view?.mark(move ? [move] : this.last);
  }

  offer(moves, choose) {
    if (this.fresh("moves", moves)) this.view.offer(moves, choose);
  }

  heat(thought) {
    if (this.fresh("thought", thought)) this.view.heat(heatOf(thought));
  }

  fresh(name, value) {
    if (this.before[name] === value && name in this.before) return false;
    this.before[name] = value;
    return true;
  }

  destroy() {
    this.view?.destroy();
  }
}
