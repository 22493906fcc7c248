/* Review: the list of the moves made, and the controls that step through them. Rows that
   did not change are kept, so that focus and scroll survive a new move. */

import { el, icon } from "../dom.js";
import { rowsOf, takesTurns } from "./model.js";

const PACE = 900; /* milliseconds for a step when played by itself */

export class StepList {
  /* choose(step) */
  constructor({ choose }) {
    this.rows = [];
    this.current = null;
    this.none = el("p", { class: "muted" }, "No move yet.");
    this.list = el("ol", {
      class: "steps",
      tabindex: -1,
      "aria-label": "Moves so far",
      on: {
        click: (event) => {
          const button = event.target.closest("button");
          if (button) choose(Number(button.dataset.step));
        },
      },
    });
    this.node = el("div", { class: "steps-box" }, this.none, this.list);
  }

  show(match, at) {
    if (match.steps !== this.seen) this.fill(match);
    this.point(at);
  }

  fill(match) {
    this.seen = match.steps;
    const pair = takesTurns(match);
    const rows = rowsOf(match).map((row) => ({ ...row, key: keyOf(row, pair) }));
    let same = 0;
    while (same < rows.length && this.rows[same]?.key === rows[same].key) same++;
    for (const { node } of this.rows.splice(same)) node.remove();
    for (const row of rows.slice(same)) {
      const node = rowNode(row, match, pair);
      this.rows.push({ key: row.key, node });
      this.list.append(node);
    }
    this.none.hidden = rows.length > 0;
  }

  point(at) {
    const button = at > 0 ? this.list.querySelector(`button[data-step="${at}"]`) : null;
    if (button === this.current && button?.isConnected) return;
    for (const old of this.list.querySelectorAll('[aria-current="step"]')) old.removeAttribute("aria-current");
    this.current = button;
    if (!button) {
      if (at === 0) this.list.scrollTop = 0;
      return;
    }
    for (const part of this.list.querySelectorAll(`button[data-step="${at}"]`)) part.setAttribute("aria-current", "step");
    const row = button.closest("li");
    const below = row.offsetTop + row.offsetHeight - this.list.clientHeight;
    if (row.offsetTop < this.list.scrollTop) this.list.scrollTop = row.offsetTop;
    else if (below > this.list.scrollTop) this.list.scrollTop = below;
  }
}

function keyOf(row, pair) {
  return row.cells.map(({ step, role, move }) => `${pair} ${step} ${role} ${move?.move}`).join("|");
}

function rowNode(row, match, pair) {
  const { roles } = match.head;
  const alone = roles.length === 1;
  const cells = row.cells.map(({ step, role, move }) =>
    el("button", { type: "button", class: "steps-move", "data-step": step, title: move?.error },
      role !== null && !alone && !pair && el("span", { class: "steps-role" }, `${roles[role].name}: `),
      role !== null && pair && el("span", { class: "visually-hidden" }, `${roles[role].name}: `),
      move ? move.say : "(no choice)",
      move?.error && el("span", { class: "steps-error" }, icon("warn"), el("span", { class: "visually-hidden" }, move.error))));
  const gap = pair && row.cells[0].role === 1 ? el("span", { class: "steps-gap" }, "…") : null;
  return el("li", { class: pair ? "steps-pair" : "steps-joint" }, el("span", { class: "steps-number" }, `${row.number}.`), gap, cells);
}

export class Stepper {
  /* choose(step) */
  constructor({ choose }) {
    this.choose = choose;
    this.at = 0;
    this.last = 0;
    this.timer = 0;
    const button = (name, label, act) =>
      el("button", { type: "button", class: "button quiet icon-only", "aria-label": label, title: label, on: { click: act } }, icon(name));
    this.first = button("first", "To the beginning", () => this.go(0));
    this.back = button("back", "One move back", () => this.go(this.at - 1));
    this.run = button("play", "Play the moves", () => this.toggle());
    this.forward = button("forward", "One move forward", () => this.go(this.at + 1));
    this.end = button("last", "To the last move", () => this.go(this.last));
    this.slider = el("input", {
      type: "range",
      class: "stepper-slider",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Move",
      on: { input: () => this.go(Number(this.slider.value)) },
    });
    this.place = el("span", { class: "stepper-place" });
    this.node = el("div", { class: "stepper", role: "group", "aria-label": "Review" },
      this.first, this.back, this.run, this.forward, this.end, this.slider, this.place);
  }

  show(at, last, words) {
    this.at = at;
    this.last = last;
    this.slider.max = last;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", words);
    this.place.textContent = `${at} / ${last}`;
    for (const button of [this.first, this.back]) soften(button, at === 0);
    for (const button of [this.forward, this.end]) soften(button, at === last);
    if (at === last && this.timer) this.stop();
  }

  go(step) {
    this.stop();
    this.choose(Math.max(0, Math.min(this.last, step)));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.last) this.choose(0);
    this.timer = setInterval(() => this.choose(Math.min(this.last, this.at + 1)), PACE);
    this.drawRun();
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    this.drawRun();
  }

  drawRun() {
    const label = this.timer ? "Stop" : "Play the moves";
    this.run.replaceChildren(icon(this.timer ? "pause" : "play"));
    this.run.setAttribute("aria-label", label);
    this.run.setAttribute("title", label);
  }

  /* Keys of the whole screen. Returns true if the key was one of ours. */
  key(event) {
    const acts = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
    };
    const act = acts[event.key];
    if (!act || !this.last) return false;
    act();
    return true;
  }
}

/* A disabled button would lose the focus; this one keeps it. */
function soften(button, off) {
  button.setAttribute("aria-disabled", off);
}
