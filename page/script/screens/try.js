/* Try: rules that somebody writes. They are checked while they are typed; when they are
   valid, the board of the first position is shown and a match can begin.

   One check is asked for at a time, DELAY after the last key. An answer about a text that
   has changed since is dropped, and the new text is checked. The draft is kept in
   localStorage "tafl-draft"; what it replaces can be had back until the screen is left. */

import { el, clear, icon } from "../dom.js";
import { get, post, server } from "../api.js";
import { BoardView } from "../board.js";
import { begin, recall } from "../choices.js";
import { Editor } from "../editor.js";
import { EXAMPLE } from "../example.js";
import { notice, words } from "../problem.js";

const KEY = "tafl-draft";
const DELAY = 300; /* milliseconds */

export function title() {
  return "Try";
}

export async function show(main, { query }) {
  const screen = new Try();
  main.append(screen.node);
  if (query?.game) await screen.load(query.game);
  else screen.check();
  return () => screen.close();
}

class Try {
  constructor() {
    this.timer = 0;
    this.busy = false;
    this.closed = false;
    this.result = null;
    this.view = null;
    this.key = null;
    this.before = null; /* the draft that was replaced */
    this.make();
    this.editor.text = readDraft() ?? EXAMPLE;
  }

  make() {
    this.status = el("p", { class: "try-status", id: "try-status", role: "status" }, "Checking …");
    this.editor = new Editor({ label: "Rules in the Game Description Language", describedby: "try-status", onInput: (text) => this.typed(text) });
    this.list = el("ol", { class: "try-list", "aria-label": "What the checker says" });
    this.board = el("div", { class: "try-board" });
    this.message = el("div", {});
    this.play = el("button", { type: "button", class: "button primary big", disabled: true, on: { click: () => this.start() } }, icon("play"), "Play it");
    this.restore = el("button", { type: "button", class: "button quiet", hidden: true, on: { click: () => this.takeBack() } }, icon("undo"), "My text again");
    this.source = el("select", { on: { change: () => this.choose() } }, el("option", { value: "" }, "Put in a game …"), el("option", { value: "=example" }, "The small example"));
    this.node = el("div", { class: "try" },
      el("header", { class: "try-head" },
        el("h1", {}, "Write a game"),
        el("p", { class: "muted" }, "A game is a text: who plays, how it begins, what may be done, how it ends. Change this one, or paste another; then play it.")),
      el("div", { class: "try-text" },
        el("div", { class: "row try-tools" }, el("label", { class: "field" }, el("span", { class: "visually-hidden" }, "Put in a game"), this.source), this.restore),
        this.editor.node),
      el("div", { class: "stack try-side" },
        el("section", { class: "panel stack", "aria-labelledby": "try-checker" }, el("h2", { id: "try-checker" }, "Is it a game?"), this.status, this.list),
        el("section", { class: "stack", "aria-label": "The game" }, this.board, this.message, el("div", { class: "row" }, this.play))));
    this.fillSource();
  }

  async fillSource() {
    try {
      const { games } = await get("games");
      if (!this.closed) this.source.append(...games.map((game) => el("option", { value: game.name }, game.title)));
    } catch {
      /* Then only the example can be put in. */
    }
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.view?.destroy();
  }

  /* ---- the text ---- */

  typed(text) {
    writeDraft(text);
    this.restore.hidden = true;
    this.play.disabled = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), DELAY);
  }

  replace(text) {
    if (text === this.editor.text) return;
    this.before = this.editor.text;
    this.editor.text = text;
    this.typed(text);
    this.restore.hidden = false;
  }

  takeBack() {
    this.replace(this.before);
    this.editor.area.focus();
  }

  async choose() {
    const name = this.source.value;
    this.source.value = "";
    if (name === "=example") this.replace(EXAMPLE);
    else if (name) await this.load(name);
  }

  async load(name) {
    clear(this.message);
    try {
      const game = await get(`games/${encodeURIComponent(name)}`);
      if (!this.closed) this.replace(game.rules);
    } catch (error) {
      this.message.append(notice(error));
    }
    this.check();
  }

  /* ---- checks ---- */

  async check() {
    clearTimeout(this.timer);
    if (this.busy || this.closed) return;
    const text = this.editor.text;
    this.busy = true;
    try {
      const result = await post("check", { rules: text });
      if (!this.closed && text === this.editor.text) this.put(text, result);
    } catch (error) {
      if (!this.closed && text === this.editor.text) this.fail(error);
    }
    this.busy = false;
    if (!this.closed && text !== this.editor.text) this.timer = setTimeout(() => this.check(), DELAY);
  }

  fail(error) {
    this.result = null;
    this.say("bad", words(error));
    this.editor.mark([]);
    clear(this.list);
    this.play.disabled = true;
  }

  put(text, result) {
    this.result = { ...result, rules: text };
    this.say(result.valid ? "good" : "bad", summary(result));
    this.editor.mark(result.diagnostics);
    clear(this.list).append(...result.diagnostics.map((one) => this.entry(one)));
    this.play.disabled = !result.roles;
    if (result.scene) this.draw(result);
    else this.board.classList.add("stale");
  }

  say(kind, text) {
    if (this.status.textContent === text) return;
    this.status.className = `try-status ${kind}`;
    clear(this.status).append(icon(kind === "good" ? "check" : "warn"), text);
  }

  entry(one) {
    const jump = () => this.editor.select(one.offset, one.length);
    return el("li", { class: one.severity },
      el("button", { type: "button", class: "button quiet", on: { click: jump } },
        el("span", { class: "try-place" }, `${one.severity === "error" ? "Error" : "Warning"}, line ${one.line}`),
        el("span", {}, one.message)));
  }

  draw({ scene, state, title: name }) {
    const key = JSON.stringify(scene);
    this.board.classList.remove("stale");
    if (key !== this.key) {
      this.key = key;
      this.view?.destroy();
      this.view = new BoardView(scene, { label: `${name ?? "The game"}: how it begins` });
      clear(this.board).append(this.view.node);
    }
    this.view.show(state);
  }

  async start() {
    const { rules, roles, title: name } = this.result;
    clear(this.message);
    this.play.disabled = true;
    try {
      const about = await server();
      const game = { rules, roles, title: name ?? "Your game" };
      await begin(game, recall(game, about));
    } catch (error) {
      this.message.append(notice(error));
    }
    this.play.disabled = false;
  }
}

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

function summary({ valid, errors, warnings }) {
  if (!valid) return `Not yet: ${count(errors, "error")}${warnings ? ` and ${count(warnings, "warning")}` : ""}.`;
  return warnings ? `Yes, with ${count(warnings, "warning")}.` : "Yes, it can be played.";
}

function readDraft() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function writeDraft(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    /* It lasts until the screen is left. */
  }
}
