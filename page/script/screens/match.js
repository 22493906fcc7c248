/* One match, live or from the store, on one screen: board, what is going on, choices,
   review and what the players think.

   The state of the screen is the match (match/model.js, replaced by every event), the step
   that is looked at (`at`; null: always the last), the person's role whose choice the board
   asks for, and a choice on its way to the server. `draw` makes the page follow from them;
   events only change them and ask for one drawing in the next frame. */

import { el, clear, announce, icon } from "../dom.js";
import { get, listen } from "../api.js";
import { problem } from "../problem.js";
import { Actions } from "../match/actions.js";
import { Clock } from "../match/clock.js";
import { Deeds } from "../match/deeds.js";
import { Insight } from "../match/insight.js";
import { LooseMoves, MoveList } from "../match/moves.js";
import { EVENTS, applied, choosers, isOver, isSettled, last, matchOf } from "../match/model.js";
import { Seats } from "../match/seats.js";
import { Stage } from "../match/stage.js";
import { StepList, Stepper } from "../match/steps.js";
import { lineUp, meOf, placeWords, status, stepWords } from "../match/words.js";
import { adviceOf } from "../thought.js";

let shownTitle = "Match";

export function title() {
  return shownTitle;
}

export async function show(main, params) {
  shownTitle = "Match";
  const path = `${params.route === "record" ? "records" : "matches"}/${encodeURIComponent(params.id)}`;
  const screen = new MatchScreen(main, path, params);
  if (params.route === "record") screen.receive("match", await get(path));
  else await screen.connect();
  return () => screen.destroy();
}

class MatchScreen {
  constructor(main, path, params) {
    this.main = main;
    this.path = path;
    this.query = params.query;
    this.at = params.route === "record" ? 0 : null;
    if (/^\d+$/.test(params.query.step ?? "")) this.at = Number(params.query.step);
    this.match = null;
    this.role = null;
    this.sent = null; /* {step, role, move} on its way */
    this.hinted = null; /* the step for which somebody asked for a hint */
    this.news = [];
    this.frame = 0;
    this.keyed = (event) => this.key(event);
  }

  /* Resolves when the match is there, or is known not to be. */
  connect() {
    return new Promise((resolve) => {
      const handlers = {};
      for (const event of EVENTS) {
        handlers[event] = (data) => {
          this.receive(event, data);
          resolve();
        };
      }
      handlers.gone = () => {
        this.gone();
        resolve();
      };
      this.close = listen(`${this.path}/events`, handlers);
    });
  }

  gone() {
    if (this.match) return this.receive("end", {});
    clear(this.main).append(problem("This match is gone", "Matches end by themselves some time after they are over or left alone. Finished ones are kept among the matches.", { home: true }));
  }

  receive(event, data) {
    if (event !== "match" && !this.match) return;
    this.match = !this.match ? matchOf(data) : applied(this.match, event, data);
    if (event === "match") this.begin();
    if (event === "step") this.news.push(stepWords(this.match, data));
    if (event === "back") this.news = [`Taken back to move ${data.step}`];
    if (event === "turn" || event === "match") this.turned();
    if (event === "live" && data.purpose === "hint" && this.hinted === data.step) this.tellHint();
    this.sooner();
  }

  begin() {
    this.me = meOf(this.match, this.query);
    shownTitle = this.match.head.title;
    document.title = `${shownTitle} – Tafl`;
    if (!this.stage) this.build();
    if (this.match.head.scene) this.stage.setHead(this.match.head);
  }

  /* A new turn: whose choice is it, and what is there to be said? */
  turned() {
    const { turn } = this.match;
    this.sent = null;
    if (this.hinted !== last(this.match)) this.hinted = null;
    if (turn.step !== this.turnStep) this.role = null;
    this.turnStep = turn.step;
    const asked = turn.asked.filter((r) => this.me.includes(r));
    if (!asked.includes(this.role)) this.role = asked[0] ?? (choosers(turn).includes(this.role) ? this.role : null);
    if (this.me.some((r) => isSettled(this.match, r))) return; /* the step comes at once */
    const words = status(this.match, this.me);
    if (this.news.length || words !== this.said) {
      announce([...this.news, words].join(". "));
      this.said = words;
      this.news = [];
    }
  }

  tellHint() {
    clearTimeout(this.hintTimer);
    this.hintTimer = setTimeout(() => announce(`Hint: ${adviceOf(this.hint())}`), 700);
  }

  sooner() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  build() {
    const choose = (step) => this.look(step);
    const preview = (move) => this.stage.preview(move);
    this.deeds = new Deeds(this);
    this.stage = new Stage({ path: this.path });
    this.seats = new Seats({ choose: (role) => this.setRole(role) });
    this.clock = new Clock();
    this.moves = new MoveList({ choose: (move) => this.choose(move), preview });
    this.loose = new LooseMoves({ choose: (move) => this.choose(move) });
    this.steps = new StepList({ choose });
    this.stepper = new Stepper({ choose });
    this.insight = new Insight({ choose, preview, changed: () => this.sooner() });
    this.actions = new Actions(this.deeds);
    this.heading = el("h1", { class: "match-title" });
    this.players = el("p", { class: "match-line muted" });
    this.sentence = el("p", { class: "match-say" });
    this.advice = el("p", { class: "match-advice", hidden: true });
    this.notice = el("div", { class: "match-notice", role: "alert" });
    this.nowLine = el("p", { class: "match-now", hidden: true }, el("span", {}),
      el("button", { type: "button", class: "button", on: { click: () => this.look(last(this.match)) } }, icon("last"), "Back to now"));
    this.movesPanel = el("section", { class: "panel match-moves", "aria-labelledby": "moves-title" }, el("h2", { id: "moves-title" }, "Your moves"), this.moves.node);
    this.stepsPanel = el("section", { class: "panel match-steps", "aria-labelledby": "steps-title" }, el("h2", { id: "steps-title" }, "Moves so far"), this.steps.node);
    this.node = el("div", { class: "match" },
      el("div", { class: "match-head" }, this.heading, this.players),
      el("div", { class: "match-stage" },
        el("div", { class: "match-status" }, this.sentence, this.advice, this.nowLine, this.clock.node),
        this.notice, this.stage.node, this.loose.node, this.stepper.node),
      this.actions.node,
      el("div", { class: "match-panels" }, this.seats.node, this.movesPanel, this.insight.node, this.stepsPanel));
    clear(this.main).append(this.node);
    document.addEventListener("keydown", this.keyed);
  }

  /* The step that is looked at. */
  now() {
    const end = last(this.match);
    return Math.min(this.at ?? end, end);
  }

  isLive() {
    return this.match.kind !== "record" && !isOver(this.match) && !this.match.gone;
  }

  look(step) {
    const n = Math.max(0, Math.min(last(this.match), step));
    if (n === this.now()) return;
    this.at = n === last(this.match) && this.match.kind !== "record" ? null : n;
    announce(placeWords(this.match, n));
    this.sooner();
  }

  /* The moves that the person whose turn it is may choose from now, or null. */
  offered() {
    const { turn } = this.match;
    if (!this.isLive() || turn.phase !== "playing" || this.role === null || !this.me.includes(this.role)) return null;
    if (this.now() !== last(this.match) || turn.step !== last(this.match) || isSettled(this.match, this.role)) return null;
    return turn.legal[this.role] ?? null;
  }

  setRole(role) {
    this.role = role;
    this.sooner();
  }

  choose(move) {
    if (!this.offered()) return;
    this.sent = { step: this.match.turn.step, role: this.role, move };
    this.deeds.move(this.sent);
    this.sooner();
  }

  refused() {
    this.sent = null;
    this.sooner();
  }

  hint() {
    return this.hinted === last(this.match) ? (this.match.live.find((thought) => thought?.purpose === "hint") ?? null) : null;
  }

  draw() {
    if (!this.match?.steps.length || !this.match.head.scene) return this.drawWaiting();
    const { match } = this;
    const n = this.now();
    const offered = this.offered();
    this.drawWords(n);
    this.stage.show(match.steps[n]);
    this.stage.offer(offered, (move) => this.choose(move));
    const hint = n === last(match) ? this.hint() : null;
    this.stage.heat(hint ?? this.insight.heatFor(match, n));
    this.drawAdvice(hint);
    this.drawMoves(offered);
    const several = this.isLive() ? choosers(match.turn).filter((r) => this.me.includes(r)) : [];
    this.seats.show(match, this.me, this.role, several.length > 1 ? several : []);
    this.clock.show(this.isLive() ? match.turn : { thinking: [], left: null }, match.turn.phase === "starting" ? match.head.start : match.head.play);
    this.stepper.node.hidden = last(match) === 0;
    this.stepper.show(n, last(match), placeWords(match, n));
    this.stepsPanel.hidden = false;
    this.steps.show(match, n);
    this.insight.show(match, n, this.me);
    this.actions.show(this.deeds.possible());
  }

  drawWaiting() {
    if (!this.match) return;
    this.drawTitle();
    put(this.sentence, status(this.match, this.me));
    if (this.match.head.early) this.stage.showEarly(this.match.head.early);
    for (const node of [this.movesPanel, this.insight.node, this.stepsPanel, this.stepper.node]) node.hidden = true;
    this.nowLine.hidden = true;
    this.seats.show(this.match, this.me, null, []);
    this.clock.show(this.match.turn, this.match.head.start);
    this.actions.show(this.deeds.possible());
    this.deeds.showFailure();
  }

  drawTitle() {
    this.node.dataset.phase = this.match.turn.phase;
    put(this.heading, this.match.head.title);
    const { watchers } = this.match;
    put(this.players, lineUp(this.match, this.me) + (watchers > 1 ? ` ${watchers} pages show it.` : ""));
  }

  drawWords(n) {
    const { match } = this;
    const reviewing = n !== last(match);
    this.drawTitle();
    const sending = this.sent && this.me.length === 1 ? `You play ${this.sent.move.say}.` : null;
    put(this.sentence, sending ?? status(match, this.me));
    this.sentence.classList.toggle("match-yours", match.turn.phase === "playing" && this.offered() !== null && !this.sent && !match.turn.chosen[this.role]);
    this.nowLine.hidden = !(reviewing && this.isLive());
    this.sentence.hidden = !this.nowLine.hidden;
    if (reviewing) put(this.nowLine.firstChild, `You look at move ${n} of ${last(match)}; the match goes on.`);
    this.deeds.showFailure();
  }

  drawAdvice(hint) {
    this.advice.hidden = !hint;
    if (hint) put(this.advice, `Hint: ${adviceOf(hint)}`);
  }

  drawMoves(offered) {
    this.movesPanel.hidden = this.me.length === 0 || !this.isLive();
    const chosen = this.me.length === 1 ? (this.sent?.move ?? this.match.turn.chosen[this.role]) : null;
    this.moves.show(offered, chosen?.move ?? null);
    this.moves.explain(this.now() === last(this.match) ? "You can choose when it is your move." : "Go back to now to choose.");
    this.loose.show(offered, chosen?.move ?? null, !this.isLive());
    this.stage.choose(this.now() === last(this.match) ? (chosen ?? null) : null);
    const name = this.match.head.roles[this.role]?.name;
    const whose = this.me.length > 1 && name ? `Moves of ${name}` : "Your moves";
    put(this.movesPanel.firstChild, offered ? `${whose} (${offered.length})` : whose);
  }

  /* Keys that step through the match, where nothing else wants them. */
  key(event) {
    const { target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.match?.steps.length) return;
    if (target.closest?.("input, select, textarea, dialog, .stage-board, [role=slider]")) return;
    if (event.key === " " && target.closest?.("button, a, summary")) return;
    if (this.stepper.key(event)) event.preventDefault();
  }

  destroy() {
    this.close?.();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.hintTimer);
    document.removeEventListener("keydown", this.keyed);
    if (!this.stage) return;
    this.stepper.stop();
    this.clock.stop();
    this.insight.destroy();
    this.stage.destroy();
    this.deeds.destroy();
  }
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
