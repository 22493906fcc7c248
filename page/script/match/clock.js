/* The clock of a turn: a bar that runs down, and the seconds that are left in figures. The
   browser moves the bar by itself; script runs once a second. */

import { el } from "../dom.js";

export class Clock {
  constructor() {
    this.bar = el("span", { class: "clock-bar" });
    this.text = el("span", { class: "clock-text" });
    this.node = el("div", { class: "clock", "aria-hidden": "true", hidden: true }, el("span", { class: "clock-track" }, this.bar), this.text);
    this.timer = 0;
    this.key = null;
  }

  /* turn: each object is a new setting of the clock. */
  show(turn, total) {
    if (turn === this.turn) return;
    this.turn = turn;
    this.stop();
    const { left } = turn;
    const busy = turn.thinking.length > 0 || turn.phase === "starting";
    if (!Number.isFinite(left) || !busy || !(total > 0)) return;
    this.node.hidden = false;
    const until = performance.now() + left * 1000;
    this.motion = this.bar.animate(
      [{ transform: `scaleX(${Math.min(1, left / total)})` }, { transform: "scaleX(0)" }],
      { duration: Math.max(1, left * 1000), fill: "forwards" });
    const tick = () => {
      const rest = Math.max(0, until - performance.now());
      this.text.textContent = `${Math.ceil(rest / 1000)} s`;
      if (rest <= 0) clearInterval(this.timer);
    };
    tick();
    this.timer = setInterval(tick, 500);
  }

  stop() {
    clearInterval(this.timer);
    this.motion?.cancel();
    this.motion = null;
    this.node.hidden = true;
  }
}
