/* What a person does in a match: commands to the server, and their errors in words. Also
   says which of them are possible now. The functions are the acts of match/actions.js;
   they need no `this`. */

import { el, announce, clear, icon } from "../dom.js";
import { del, post, server } from "../api.js";
import { begin, choices, rulesOf } from "../choices.js";
import { notice, words } from "../problem.js";
import { isOver, last, persons } from "./model.js";

const HINT_SECONDS = 2;

export class Deeds {
  constructor(screen) {
    this.screen = screen;
    for (const name of ["hint", "undo", "resign", "again", "swap", "choose", "review", "link", "stop", "play"]) this[name] = this[name].bind(this);
  }

  /* A command; what it changes comes as an event. */
  async send(name, body) {
    try {
      await post(`${this.screen.path}/${name}`, body);
      this.clearNotice();
      return true;
    } catch (error) {
      this.say(notice(error));
      return false;
    }
  }

  say(node) {
    clear(this.screen.notice).append(node);
    this.failed = false;
  }

  /* What was said last no longer holds, unless the match has come to its end. */
  clearNotice() {
    if (!this.failed) clear(this.screen.notice);
  }

  async move({ step, role, move }) {
    if (!(await this.send("move", { role, step, move: move.move }))) this.screen.refused();
  }

  async hint() {
    const { screen } = this;
    screen.hinted = last(screen.match);
    if (screen.at !== null) screen.look(last(screen.match));
    if (!(await this.send("hint", { role: screen.role, seconds: HINT_SECONDS }))) screen.hinted = null;
  }

  undo() {
    this.screen.look(last(this.screen.match));
    this.send("undo", {});
  }

  resign() {
    const { screen } = this;
    this.send("resign", { role: screen.role ?? screen.me[0] });
  }

  async stop() {
    try {
      await del(this.screen.path);
    } catch (error) {
      this.say(notice(error));
    }
  }

  again() {
    this.start(this.players());
  }

  /* The players one role further; with two roles they change sides. */
  swap() {
    const players = this.players();
    this.start([players.at(-1), ...players.slice(0, -1)]);
  }

  play() {
    location.hash = `#/play/${encodeURIComponent(this.screen.match.head.game)}`;
  }

  players() {
    return this.screen.match.head.roles.map((role) => role.player);
  }

  async start(players) {
    const { start, play } = this.screen.match.head;
    try {
      await this.leaveFor({ players, start, play });
    } catch (error) {
      this.say(notice(error));
    }
  }

  /* A person who begins another match gives this one up; it would only wait. */
  async leaveFor(choice) {
    const { match, me, path } = this.screen;
    await begin(this.game(), choice);
    if (me.length && !isOver(match) && !match.gone) await del(path).catch(() => null);
  }

  game() {
    const { head } = this.screen.match;
    const roles = head.roles.map((role) => role.name);
    return { name: head.game, rules: this.rules(), title: head.title, roles };
  }

  /* The text of rules of one's own, if the match was begun here. */
  rules() {
    if (this.kept === undefined) this.kept = this.screen.match.head.game ? null : rulesOf(this.screen.match.id);
    return this.kept;
  }

  review() {
    this.screen.look(0);
    this.screen.stepper.forward.focus();
  }

  async choose() {
    try {
      this.openChoices(await server());
    } catch (error) {
      this.say(notice(error));
    }
  }

  openChoices(about) {
    const game = this.game();
    const close = () => {
      dialog.close();
      dialog.remove();
    };
    const form = choices(game, about, {
      onStart: async (choice) => {
        await this.leaveFor(choice);
        close();
      },
    });
    const dialog = el("dialog", { class: "dialog", "aria-labelledby": "choices-title", on: { cancel: close } },
      el("div", { class: "row dialog-head" }, el("h2", { id: "choices-title" }, `New game of ${game.title}`),
        el("button", { type: "button", class: "button quiet icon-only", "aria-label": "Close", on: { click: close } }, icon("close"))),
      form,
      el("p", {}, el("a", { href: "#/", on: { click: close } }, "Another game")));
    this.dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
  }

  /* Whoever opens the link watches; where several persons play, they may also play. */
  async link() {
    const { me, match } = this.screen;
    const address = location.href.replace(/\?.*$/, "") + (me.length && persons(match).length === 1 ? "?watch" : "");
    try {
      await navigator.clipboard.writeText(address);
      this.screen.actions.copied();
      announce("The address of this match is copied.");
    } catch {
      const field = el("input", { type: "text", readonly: true, value: address, "aria-label": "Address of this match" });
      this.say(el("p", { class: "notice" }, field));
      field.select();
    }
  }

  /* Which buttons there are; false: shown but not now. */
  possible() {
    const { screen } = this;
    const { match, me } = screen;
    const known = Boolean(match.head.game ?? this.rules()) && match.head.roles.length > 0;
    const over = isOver(match) || match.gone || match.kind === "record";
    const can = { link: true };
    if (known && match.kind === "page") can.choose = true;
    if (me.length && !over) {
      can.hint = screen.offered() !== null;
      can.undo = match.turn.undo === true;
      can.resign = match.turn.phase === "playing";
    }
    if (me.length && over && match.turn.undo && !match.gone) can.undo = true;
    if (match.head.game && match.kind !== "page") can.play = true;
    if (over && last(match) > 0 && match.kind !== "record") can.review = screen.now() !== 0;
    if (over && known && match.kind === "page") can.again = true;
    if (over && known && me.length && match.head.roles.length > 1) can.swap = true;
    if (!over && match.kind === "page" && !me.length && !persons(match).length && screen.query.watch === undefined) can.stop = true;
    return can;
  }

  /* Why the match cannot go on, with ways that lead further. */
  showFailure() {
    const { match } = this.screen;
    const failed = match.turn.phase === "failed";
    if (this.failed || !(failed || (match.gone && !isOver(match)))) return;
    const { game } = match.head;
    const text = failed ? words(match.turn.message || "Something in the rules or a player does not work.") : "This match has ended: nobody played on, or the server was started again.";
    this.say(el("div", { class: "notice bad" }, icon("warn"), el("div", {}, el("p", {}, text),
      el("p", { class: "row" },
        game && el("a", { class: "button primary", href: `#/play/${encodeURIComponent(game)}` }, icon("refresh"), "Begin again"),
        failed && el("a", { class: "button", href: game ? `#/try?game=${encodeURIComponent(game)}` : "#/try" }, icon("code"), "Look at the rules"),
        el("a", { class: "button", href: "#/" }, icon("home"), "To the games")))));
    this.failed = true;
  }

  destroy() {
    this.dialog?.close();
    this.dialog?.remove();
  }
}
