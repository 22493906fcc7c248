/* Play: begins a match at once, with what was chosen last time or the defaults, and gives
   its place in the history to the match. The query may say more: role (the number of the
   one you play), agent (who plays the others), play and start (seconds), watch (you play
   none). */

import { el, clear, icon } from "../dom.js";
import { del, get, post, server } from "../api.js";
import { recall, remember } from "../choices.js";
import { words } from "../problem.js";

export function title() {
  return "Play";
}

export async function show(main, params) {
  main.append(el("div", { class: "play-wait" }, el("h1", {}, "Setting up the board…")));
  try {
    const [game, about] = await Promise.all([get(`games/${encodeURIComponent(params.name)}`), server()]);
    const choice = choiceOf(game, about, params.query);
    const { id } = await post("matches", { game: game.name, ...choice });
    if (choice.players.includes("human")) remember(game, choice);
    if (main.isConnected) location.replace(`#/match/${encodeURIComponent(id)}`);
    else await del(`matches/${encodeURIComponent(id)}`);
  } catch (error) {
    clear(main).append(failure(params.name, error));
  }
}

/* What the query says, upon what is remembered. */
export function choiceOf(game, about, query) {
  const choice = recall(game, about);
  const agent = query.agent ?? choice.players.find((player) => player !== "human") ?? about.defaults.agent;
  const role = query.role === undefined ? null : Number(query.role);
  const asked = query.watch !== undefined || query.agent !== undefined || role !== null;
  if (asked) {
    const mine = query.watch !== undefined ? -1 : Number.isInteger(role) && role < game.roles.length ? role : 0;
    choice.players = game.roles.map((_, r) => (r === mine ? "human" : agent));
  }
  choice.play = seconds(query.play, choice.play, about.limits.play);
  choice.start = seconds(query.start, choice.start, about.limits.start);
  return choice;
}

function seconds(text, usual, most) {
  const given = Number(text);
  return text !== undefined && given > 0 ? Math.min(given, most) : usual;
}

function failure(name, error) {
  const missing = error.status === 404;
  return el("div", { class: "problem" },
    el("h1", {}, missing ? "There is no such game" : "The match could not begin"),
    el("p", {}, missing ? `No game here is called ${name}.` : words(error)),
    el("p", { class: "row" },
      !missing && el("a", { class: "button primary", href: `#/games/${encodeURIComponent(name)}` }, icon("back"), "Back to the game"),
      el("a", { class: "button", href: "#/" }, icon("home"), "All games")));
}
