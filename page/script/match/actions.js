/* The bar of what can be done: hint, take back, resign, and after the end play again. The
   buttons stay in place and change their state, so that focus is not lost; resigning asks
   once, in the bar itself. */

import { el, icon } from "../dom.js";

export class Actions {
  /* acts: {hint, undo, resign, again, swap, choose, review, link, stop, play} functions */
  constructor(acts) {
    const button = (name, words, act, look = "") =>
      el("button", { type: "button", class: `button ${look}`, on: { click: (event) => this.press(event, act) } }, icon(name), el("span", {}, words));
    this.hint = button("hint", "Hint", acts.hint);
    this.undo = button("undo", "Take back", acts.undo);
    this.resign = button("flag", "Resign", () => this.ask(true));
    this.again = button("refresh", "Play again", acts.again, "primary");
    this.play = button("play", "Play this game", acts.play, "primary");
    this.swap = button("flip", "Swap sides", acts.swap);
    this.choose = button("plus", "New game…", acts.choose);
    this.review = button("first", "Review", acts.review);
    this.stop = button("stop", "End the match", acts.stop);
    this.link = button("link", "Copy link", acts.link, "quiet");
    this.yes = button("flag", "Yes, give up", () => {
      this.ask(false);
      acts.resign();
    }, "primary");
    this.no = button("close", "No, play on", () => this.ask(false));
    this.question = el("span", { class: "actions-question", id: "resign-question" }, "Give up this match?");
    this.confirm = el("div", { class: "actions-confirm row", role: "group", "aria-labelledby": "resign-question", hidden: true },
      this.question, this.yes, this.no);
    this.bar = el("div", { class: "actions-bar" },
      this.again, this.play, this.hint, this.undo, this.resign, this.swap, this.review, this.choose, this.stop, this.link);
    this.node = el("div", { class: "actions", role: "group", "aria-label": "What you can do" }, this.bar, this.confirm);
    this.asking = false;
  }

  press(event, act) {
    if (event.currentTarget.getAttribute("aria-disabled") !== "true") act();
  }

  /* Says for a moment that the link is copied. */
  copied() {
    const words = this.link.lastChild;
    words.textContent = "Copied";
    setTimeout(() => (words.textContent = "Copy link"), 2000);
  }

  ask(asking) {
    this.asking = asking;
    this.confirm.hidden = !asking;
    this.bar.hidden = asking;
    (asking ? this.no : this.resign).focus();
  }

  /* can: names of buttons to booleans; a missing one is not shown, false is disabled. */
  show(can) {
    if (this.asking && !can.resign) this.ask(false);
    for (const name of ["again", "play", "hint", "undo", "resign", "swap", "review", "choose", "stop", "link"]) {
      const off = can[name] === false;
      this[name].hidden = can[name] === undefined;
      if (this[name].getAttribute("aria-disabled") !== String(off)) this[name].setAttribute("aria-disabled", off);
    }
  }
}
