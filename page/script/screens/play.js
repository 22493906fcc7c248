/* Play: begins a match at once, with what was chosen last time or the defaults, and gives
   its place in the history to the match. The query may say more: role (the number of the
   one you play), agent (who plays the others), play and start (seconds), watch (you play
   none). */

import { el, clear, icon } from "../dom.js";
import { del, get, post, server } from "../api.js";
import { recallByName } from "../choices.js";
import { words } from "../problem.js";

export function title() {
  return "Play";
}

export async function show(main, { name, query }) {
  main.append(el("div", { class: "play-wait" }, el("h1", {}, "Setting up the board…")));
  try {
    const choice = await choiceOf(name, query);
    const { id } = await post("matches", { game: name, ...choice });
    if (main.isConnected) location.replace(`#/match/${encodeURIComponent(id)}`);
    else await del(`matches/${encodeURIComponent(id)}`);
  } catch (error) {
    clear(main).append(failure(name, error));
  }
}

/* What the query says, upon what is remembered. Who plays what depends on the number of
   roles only if the query says something about it: to ask for the game takes longer than
   to begin a match with it. */
async function choiceOf(name, query) {
  const about = await server();
  const choice = recallByName(name, about);
  const asked = ["role", "agent", "watch"].some((word) => query[word] !== undefined);
  const players = asked ? playersOf(await get(`games/${encodeURIComponent(name)}`), query, about) : choice.players;
  return {
    players: players ?? ["human"], /* the server fills in the others */
    play: seconds(query.play, choice.play, about.limits.play),
    start: seconds(query.start, choice.start, about.limits.start),
  };
}

function playersOf({ roles }, query, about) {
  const role = Number(query.role ?? 0);
  const mine = query.watch !== undefined ? -1 : Number.isInteger(role) && role < roles.length ? role : 0;
  return roles.map((_, r) => (r === mine ? "human" : (query.agent ?? about.defaults.agent)));
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
