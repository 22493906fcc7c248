/* Matches: those that are running, and below them the finished ones of the store, the
   newest first. The filters stand in the address, so that a list can be linked to. */

import { el, clear, icon, announce } from "../dom.js";
import { get } from "../api.js";
import { notice } from "../problem.js";
import { running } from "./running.js";
import { result } from "../result.js";
import { column, count, empty, many, moment, numbers, table } from "../lists.js";

const FILTERS = ["text", "game", "player", "kind", "experiment"];

const KINDS = { page: "Played on this page", match: "Single matches", tour: "Tournaments", lab: "Lab", sweep: "Sweeps of settings" };

export function title() {
  return "Matches";
}

export async function show(main, params) {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, params.query[name] ?? ""]));
  const now = running();
  const list = listNode(wanted);
  main.append(el("h1", {}, "Matches"), now.node,
    el("section", { "aria-labelledby": "finished-heading" }, el("h2", { id: "finished-heading" }, "Finished"), list.node));
  try {
    await list.fill();
  } catch (error) {
    now.close();
    throw error;
  }
  return () => {
    now.close();
    list.close();
  };
}

/* The filters and the matches that pass them. An answer that comes after a later question
   was asked is dropped. */
function listNode(wanted) {
  const rows = el("div", { class: "stack" });
  const form = el("form", { class: "row end list-filters", role: "search", "aria-label": "Which matches" });
  const message = el("div", {});
  let asked = 0;
  let timer = 0;

  async function fill() {
    const turn = ++asked;
    const answer = await get("records", wanted);
    if (turn !== asked) return;
    if (!form.hasChildNodes()) drawForm(answer);
    clear(message);
    clear(rows).append(...listOf(answer, wanted, further));
    announce(answer.records.length ? `${many(answer.records.length, "match", "matches")} listed` : "No matches");
  }

  async function again() {
    history.replaceState(history.state, "", addressOf(wanted));
    try {
      await fill();
    } catch (error) {
      clear(message).append(notice(error));
    }
  }

  /* Older matches go below those that stand there. */
  async function further(button, body, last) {
    const turn = asked;
    button.disabled = true;
    try {
      const answer = await get("records", { ...wanted, before: last });
      if (turn !== asked) return;
      const added = answer.records.map(rowOf);
      body.append(...rowsOf(added));
      drawMore(button, body, answer, further);
      announce(`${many(added.length, "more match", "more matches")}`);
    } catch (error) {
      clear(message).append(notice(error));
    }
    button.disabled = false;
  }

  function drawForm(answer) {
    const change = (name) => (event) => {
      wanted[name] = event.target.value;
      again();
    };
    const type = (event) => {
      wanted.text = event.target.value.trim();
      clearTimeout(timer);
      timer = setTimeout(again, 250);
    };
    form.append(
      el("label", { class: "field" }, "Search", el("input", { type: "search", value: wanted.text, placeholder: "Game, player, tournament", autocomplete: "off", on: { input: type } })),
      choice("Game", "Any game", wanted.game, answer.games.map((name) => [name, name]), change("game")),
      choice("Player", "Any player", wanted.player, answer.players.map((name) => [name, name]), change("player")),
      choice("From", "Anywhere", wanted.kind, Object.entries(KINDS), change("kind")),
      wanted.experiment && el("a", { class: "button", href: "#/matches" }, icon("close"), "All matches"));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  return { node: el("div", { class: "stack" }, form, message, rows), fill, close: () => clearTimeout(timer) };
}

function addressOf(wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  return query.size ? `#/matches?${query}` : "#/matches";
}

/* A value of the address that is not among the choices is kept as one. */
function choice(label, any, value, options, change) {
  const known = options.some(([name]) => name === value) || !value ? options : [...options, [value, value]];
  return el("label", { class: "field" }, label,
    el("select", { value, on: { change } }, el("option", { value: "" }, any), known.map(([name, words]) => el("option", { value: name }, words))));
}

function listOf(answer, wanted, further) {
  const filtered = Object.values(wanted).some(Boolean);
  if (answer.records.length === 0)
    return [filtered ? empty("No match in the store is like this. Choose less, or clear the filters.") : empty("Nothing has been played to its end yet. Play a game here, or let programs play:", "tafl tour ticTacToe -a tafl,random --sims 200 -n 4")];
  const heads = [column("Match"), column("Result"), column("Players"), numbers("Moves"), column("Ended")];
  const view = table(captionOf(answer, wanted), heads, [{ rows: answer.records.map(rowOf) }]);
  const body = view.querySelector("tbody");
  const button = el("button", { type: "button", class: "button" }, icon("down"), "Show older ones");
  drawMore(button, body, answer, further);
  return [view, el("p", {}, button)];
}

function captionOf(answer, wanted) {
  const of = answer.records[0].experiment;
  return wanted.experiment && of ? `Matches of ${of}, the newest first` : "Finished matches, the newest first";
}

function drawMore(button, body, answer, further) {
  button.hidden = !answer.more;
  const last = answer.records.at(-1)?.id;
  button.onclick = () => further(button, body, last);
}

function rowOf(record) {
  const from = record.kind === null || record.kind === "page" ? KINDS.page : record.experiment;
  return [
    [el("a", { href: `#/record/${encodeURIComponent(record.id)}` }, record.title), el("small", { class: "list-below muted" }, record.kind === null ? "" : from)],
    [result(record), record.error && el("small", { class: "list-below muted" }, record.error)],
    el("ul", { class: "list-sides" }, record.roles.map((role) => el("li", {}, role.name, ": ", el("span", { class: "list-agent" }, role.label)))),
    count(record.steps),
    moment(record.finished),
  ];
}

/* Lines as a table makes them. */
function rowsOf(rows) {
  const view = table("", [column(""), column(""), column(""), numbers(""), column("")], [{ rows }]);
  return [...view.querySelectorAll("tbody > tr")];
}
