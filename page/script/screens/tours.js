/* Tournaments: the list, or one of them with its standing, who beat whom, each game, and
   charts. Everything is as `tafl tour` prints it. */

import { el } from "../dom.js";
import { address, get } from "../api.js";
import { chart, column, count, decimal, empty, figure, many, moment, numbers, table } from "../lists.js";

const COMMAND = "tafl tour ticTacToe breakthrough -a tafl,cadia2010,random --sims 200 -n 10";

const SYSTEMS = {
  "round-robin": "Everybody plays everybody",
  gauntlet: "The first one plays each of the others",
  swiss: "Swiss system",
  elimination: "Double elimination: who has lost twice is out",
};

const CHARTS = {
  ratings: "Elo ratings with 95 % intervals",
  games: "Win rates at each game, with 95 % intervals",
  pairs: "Win rates of the rows' players against the columns'",
};

const WIDEST = 16; /* players of a cross table */

let shown = null; /* the tournament that was fetched last: {id, name} */

export function title(params) {
  if (!params.id) return "Tournaments";
  return shown?.id === params.id ? shown.name : "Tournament";
}

export async function show(main, params) {
  if (params.id) await showOne(main, params.id);
  else await showList(main);
}

/* ---- the list ---- */

async function showList(main) {
  const { tours } = await get("tours");
  main.append(el("h1", {}, "Tournaments"), el("p", { class: "list-lead" }, "Programs that played each other, and how strong they turned out to be."),
    tours.length === 0 ? empty("There are none yet. Let some programs play:", COMMAND)
      : table("Tournaments, the newest first", [column("Tournament"), column("Games"), column("Players"), numbers("Played"), column("Begun")], [{ rows: tours.map(lineOf) }]));
}

function lineOf(tour) {
  return [
    [el("a", { href: `#/tours/${tour.id}` }, nameOf(tour.name, tour.games)), el("small", { class: "list-below muted" }, SYSTEMS[tour.system] ?? tour.system)],
    few(tour.games),
    few(tour.players),
    tour.planned === null ? count(tour.played) : `${count(tour.played)} of ${count(tour.planned)}`,
    moment(tour.made),
  ];
}

/* One without a name of its own is called by its games. */
function nameOf(name, games) {
  return Object.hasOwn(SYSTEMS, name) ? `Tournament at ${few(games)}` : name;
}

function few(names) {
  if (names.length <= 4) return names.join(", ");
  return `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}

/* ---- one of them ---- */

async function showOne(main, id) {
  const tour = await get(`tours/${encodeURIComponent(id)}`);
  const name = nameOf(tour.name, tour.spec.games);
  shown = { id, name };
  const order = orderOf(tour);
  const [all, ...games] = tour.sections;
  main.append(el("div", {}, el("p", {}, el("a", { href: "#/tours" }, "All tournaments")), el("h1", {}, name), head(tour),
    el("h2", {}, "Standing"), standing(all, order, tour, "Standing in all games"), remark(all),
    crossOf(all, order), meetings(tour),
    games.length > 1 && [el("h2", {}, "Game by game"), games.map((section) => gameOf(section, order, tour))],
    charts(tour)));
}

/* Names in the order of their places, equal ones in that of their ratings. */
function orderOf(tour) {
  const elo = new Map(tour.sections[0].agents.map((one) => [one.agent, one.elo ?? -Infinity]));
  const sorted = [...tour.standings].sort((a, b) => a.place - b.place || elo.get(b.agent) - elo.get(a.agent));
  return sorted.map((one) => one.agent);
}

function head(tour) {
  const { spec } = tour;
  const state = tour.over ? "It is over." : "It is not over: the same command goes on with it.";
  return el("div", { class: "stack" },
    el("p", { class: "list-lead" }, `${SYSTEMS[spec.system] ?? spec.system}, ${many(spec.each, "game")} for each pair at ${many(spec.games.length, "game", "different games")}. `,
      `${many(tour.games, "game")} of ${count(tour.planned)} planned ${tour.games === 1 ? "has" : "have"} been played${tour.errors ? `, ${many(tour.errors, "error")}` : ""}. ${state}`),
    el("dl", { class: "facts" },
      el("dt", {}, "Thinking"), el("dd", {}, budget(spec)),
      el("dt", {}, "Games"), el("dd", {}, spec.games.join(", ")),
      el("dt", {}, "Begun"), el("dd", {}, moment(tour.made)),
      tour.sprt && [el("dt", {}, "Sequential test"), el("dd", {}, test(tour.sprt))]),
    el("p", {}, el("a", { class: "button", href: `#/matches?experiment=${tour.id}` }, "Look at its matches")));
}

function budget(spec) {
  const start = spec.start > 0 ? `, ${count(spec.start)} at the start` : "";
  return `${count(spec.play)} ${spec.unit} a move${start}`;
}

function test(sprt) {
  const decisions = { open: "not decided yet", elo0: `the lead is ${sprt.elo0} Elo rather than ${sprt.elo1}`, elo1: `the lead is ${sprt.elo1} Elo rather than ${sprt.elo0}` };
  return `${decisions[sprt.decision] ?? sprt.decision}, after ${many(sprt.pairs, "pair")} of games`;
}

/* Elo, its interval, and what it comes from. */
function standing(section, order, tour, caption) {
  const heads = [column("Player"), numbers("Place"), numbers("Elo"), numbers("95 %"), numbers("Games"), numbers("Won"), numbers("Drawn"), numbers("Lost"), numbers("Win rate %"), numbers("Mean goal")];
  const errors = section.agents.some((one) => one.errors > 0);
  if (errors) heads.splice(8, 0, numbers("Errors"));
  const places = new Map(tour.standings.map((one) => [one.agent, one.place]));
  const agents = new Map(section.agents.map((one) => [one.agent, one]));
  const rows = order.map((name) => {
    const one = agents.get(name);
    const row = [agentName(name), places.get(name), elo(one.elo), range(one), count(one.games), count(one.wins), count(one.draws), count(one.losses), figure(one.win_rate, one.interval95), figure(one.mean_goal, one.goal_interval95)];
    if (errors) row.splice(8, 0, count(one.errors));
    return row;
  });
  return table(caption, heads, [{ rows }]);
}

const agentName = (name) => el("span", { class: "list-agent" }, name);

function elo(value) {
  if (value === null) return "–";
  const whole = Math.round(value);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "0";
}

/* An end that the games say nothing about is infinite, which JSON cannot say. */
function range(one) {
  if (one.elo === null || (one.elo_low === null && one.elo_high === null)) return "–";
  return `${one.elo_low === null ? "−∞" : elo(one.elo_low)} to\u00a0${one.elo_high === null ? "∞" : elo(one.elo_high)}`;
}

function remark(section) {
  const virtual = section.agents.some((one) => one.virtual_draw);
  return el("p", { class: "muted" }, "Elo is by the model of Bradley and Terry; the mean is 0, and 95 % intervals allow for games that depend on each other.",
    virtual && " Somebody won or lost every game against the others: the ratings rest on one virtual draw of each.");
}

/* The row's player against the column's, as long as it can be taken in. */
function crossOf(section, order) {
  if (order.length > WIDEST || section.pairs.length === 0) return null;
  return [el("h2", {}, "Who beat whom"), cross(section, order)];
}

function cross(section, order) {
  const pairs = new Map();
  for (const pair of section.pairs) {
    const rate = pair.win_rate;
    pairs.set(JSON.stringify([pair.agent, pair.against]), [rate, pair.interval95]);
    pairs.set(JSON.stringify([pair.against, pair.agent]), [rate === null ? null : 100 - rate, pair.interval95]);
  }
  const cell = (one, other) => {
    if (one === other) return el("span", { class: "muted" }, "·");
    const found = pairs.get(JSON.stringify([one, other]));
    return found ? figure(...found) : el("span", { class: "muted" }, "not met");
  };
  const heads = [column("Win rate in % against"), ...order.map((name) => ({ text: agentName(name), number: true }))];
  return table("Win rate of the row's player against the column's, in per cent", heads, [{ rows: order.map((one) => [agentName(one), ...order.map((other) => cell(one, other))]) }]);
}

/* Who met whom in which round, where the results decide that. */
function meetings(tour) {
  if (!["swiss", "elimination"].includes(tour.spec.system)) return null;
  const rounds = [...new Set(tour.meetings.map((meeting) => meeting.round))];
  const groups = rounds.map((round) => ({
    title: `Round ${round}`,
    rows: tour.meetings.filter((meeting) => meeting.round === round).map((meeting) => [agentName(meeting.first), meeting.second === null ? "has a bye" : agentName(meeting.second), meeting.points === null ? "" : decimal(100 * meeting.points)]),
  }));
  return el("section", {}, el("h2", {}, "Rounds"), table("Meetings, round by round", [column("Player"), column("Against"), numbers("Share of the points, %")], groups));
}

function gameOf(section, order, tour) {
  return el("section", { class: "list-game" }, el("h3", {}, section.game), standing(section, order, tour, `Standing at ${section.game}`));
}

function charts(tour) {
  if (tour.charts.length === 0) return null;
  return el("section", {}, el("h2", {}, "Charts"),
    el("div", { class: "list-charts" }, tour.charts.map((name) => chart(address(`tours/${tour.id}/${encodeURIComponent(name)}.svg`), CHARTS[name] ?? name))));
}
