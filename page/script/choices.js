/* Who plays and how long they think: the small form before a match, what was chosen last
   time, and the beginning of a match.

   A choice is {players, start, play} as POST /api/matches takes it: players by role,
   "human", an agent, or http://…; seconds before the first move and for each move. A game
   is {name, title, roles} of the library, or {rules, roles} for a text of one's own.

   localStorage "tafl-choices": {start, play, games: {NAME: players}}. */

import { el, clear, icon } from "./dom.js";
import { post } from "./api.js";
import { notice } from "./problem.js";

const KEY = "tafl-choices";
const RULES = "tafl-rules"; /* in sessionStorage: {id, rules} */
const HUMAN = "human";
const REMOTE = "http"; /* the entry of the list; the address is in a field beside it */
const TIMES = [0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120];

/* What was chosen for this game, or else: you play the first role, against the default. */
export function recall(game, server) {
  const choice = recallByName(game.name, server);
  const players = choice.players?.length === game.roles.length ? choice.players : null;
  return { ...choice, players: players ?? game.roles.map((_, role) => (role === 0 ? HUMAN : server.defaults.agent)) };
}

/* The same for a game of which only the name is known; players: null if none were chosen. */
export function recallByName(name, server) {
  const kept = read();
  const { start, play } = server.defaults;
  const players = kept.games[name];
  const usable = Array.isArray(players) && players.every((player) => known(player, server));
  return {
    players: usable ? players : null,
    start: within(kept.start ?? start, server.limits.start),
    play: within(kept.play ?? play, server.limits.play),
  };
}

/* Everybody is the default agent: a match to watch. */
export function watching(game, server) {
  return { ...recall(game, server), players: game.roles.map(() => server.defaults.agent) };
}

/* Begins a match, remembers the choice (unless nobody of us plays) and goes there. */
export async function begin(game, choice) {
  const what = game.name ? { game: game.name } : { rules: game.rules };
  const { id } = await post("matches", { ...what, ...choice });
  if (choice.players.includes(HUMAN)) remember(game, choice);
  if (!game.name) keepRules(id, game.rules);
  location.hash = "#/match/" + encodeURIComponent(id);
  return id;
}

/* Rules of one's own, for another match with them: those of the last match begun here. */
function keepRules(id, rules) {
  try {
    sessionStorage.setItem(RULES, JSON.stringify({ id, rules }));
  } catch {
    /* Then only the screen that has the text can begin another. */
  }
}

/* The rules of a match that was begun here, or null. */
export function rulesOf(id) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(RULES));
    return kept?.id === id && typeof kept.rules === "string" ? kept.rules : null;
  } catch {
    return null;
  }
}

function remember(game, choice) {
  const kept = read();
  if (game.name) kept.games[game.name] = choice.players;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept, start: choice.start, play: choice.play }));
  } catch {
    /* Then it is not remembered. */
  }
}

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    if (kept && typeof kept === "object" && kept.games && typeof kept.games === "object") return kept;
  } catch {
    /* As if nothing had been chosen. */
  }
  return { games: {} };
}

function known(player, server) {
  return player === HUMAN || isAddress(player) || server.agents.some((agent) => agent.name === player);
}

function isAddress(text) {
  return typeof text === "string" && /^https?:\/\/[^\s/]/.test(text);
}

const within = (seconds, most) => (Number(seconds) > 0 ? Math.min(Number(seconds), most) : 1);

/* The form. onStart(choice) may return a promise; if it fails, the form says why.
   options.word: what the button says. */
export function choices(game, server, { onStart, word = "Start" }) {
  const choice = recall(game, server);
  const seats = game.roles.map((role, at) => seat(role, choice.players[at], server));
  const time = times("For each move", choice.play, server.limits.play);
  const start = times("Before the first move", choice.start, server.limits.start);
  const message = el("div", {});
  const button = el("button", { type: "submit", class: "button primary big" }, icon("play"), word);

  async function submit(event) {
    event.preventDefault();
    clear(message);
    const players = seats.map((one) => one.value());
    const wrong = players.findIndex((player) => player === null);
    if (wrong >= 0) {
      message.append(notice("The address of a player begins with http:// and names a machine."));
      seats[wrong].focus();
      return;
    }
    button.disabled = true;
    try {
      await onStart({ players, play: Number(time.select.value), start: Number(start.select.value) });
    } catch (error) {
      message.append(notice(error));
    }
    button.disabled = false;
  }

  return el("form", { class: "choices stack", novalidate: true, on: { submit } },
    el("fieldset", { class: "choices-seats" },
      el("legend", {}, game.roles.length === 1 ? "Player" : "Players"),
      seats.map((one) => one.node),
      game.roles.length === 2 && el("button", { type: "button", class: "button quiet", on: { click: () => swap(seats) } }, icon("flip"), "Change sides")),
    el("fieldset", { class: "choices-times" },
      el("legend", {}, "Thinking time of programs"),
      el("div", { class: "row" }, time.node, start.node)),
    message,
    el("div", { class: "row" }, button));
}

/* One role: a list of players and, for a player elsewhere, its address. */
function seat(role, player, server) {
  const remote = isAddress(player);
  const label = (text) => `${text} plays ${role}`;
  const field = el("input", { type: "url", placeholder: "http://host:9147", value: remote ? player : "", "aria-label": label("Address of who"), hidden: !remote });
  const select = el("select", { value: remote ? REMOTE : player, on: { change: () => (field.hidden = select.value !== REMOTE) } },
    el("option", { value: HUMAN }, "You"),
    agentsOf(server),
    el("option", { value: REMOTE }, "A player at an address …"));

  function put(value) {
    const address = isAddress(value);
    select.value = address ? REMOTE : value;
    field.value = address ? value : "";
    field.hidden = !address;
  }

  function value() {
    if (select.value !== REMOTE) return select.value;
    return isAddress(field.value.trim()) ? field.value.trim() : null;
  }

  return {
    node: el("div", { class: "choices-seat" }, el("label", { class: "field" }, el("span", { class: "choices-role" }, role), select), field),
    focus: () => field.focus(),
    put,
    value,
    raw: () => (select.value === REMOTE ? field.value : select.value),
  };
}

/* The default and the weakest, for everybody; then all others, for who knows them. */
function agentsOf(server) {
  const plain = new Set([server.defaults.agent, "random"]);
  const option = (agent) => el("option", { value: agent.name }, agent.about ? `${agent.name}: ${agent.about}` : agent.name);
  const first = server.agents.filter((agent) => plain.has(agent.name));
  const others = server.agents.filter((agent) => !plain.has(agent.name));
  return [first.map(option), others.length > 0 && el("optgroup", { label: "Other programs" }, others.map(option))];
}

function swap([one, other]) {
  const first = one.raw();
  one.put(other.raw());
  other.put(first);
}

/* A list of usual times, with the chosen one among them. */
function times(label, chosen, most) {
  const list = [...new Set([...TIMES.filter((time) => time <= most), chosen])].sort((a, b) => a - b);
  const select = el("select", { value: String(chosen) }, list.map((time) => el("option", { value: String(time) }, seconds(time))));
  return { select, node: el("label", { class: "field" }, label, select) };
}

function seconds(time) {
  if (time >= 60 && time % 60 === 0) return time === 60 ? "1 minute" : `${time / 60} minutes`;
  return time === 1 ? "1 second" : `${time} seconds`;
}
