/* Lab: tables of papers, played again with this program. The list says how many figures
   agree; a table shows the paper's figure beside ours. A table of which nothing was played
   here has the figures that came with the program: `shipped` says whose they are. */

import { el, prose } from "../dom.js";
import { address, get } from "../api.js";
import { chart, column, count, empty, figure, many, numbers, table } from "../lists.js";

/* A verdict has a sign and a word; its colour says nothing more. */
const VERDICTS = {
  agree: { sign: "✓", word: "agrees", kind: "good", about: "the 95 % interval of the difference contains 0" },
  near: { sign: "≈", word: "near", kind: "warn", about: "the two intervals overlap" },
  differ: { sign: "✗", word: "differs", kind: "bad", about: "they do not" },
};

const MEASURES = {
  win: "Win rate of the first player in per cent; a draw is half a win.",
  goal: "Mean goal of the first player, 0 to 100.",
  speed: "States a second.",
  found: "Per cent of the games in which a strategy found the highest score.",
};

let shown = null; /* the table that was fetched last: {id, title} */

export function title(params) {
  if (!params.table) return "Lab";
  return shown?.id === params.table ? shown.title : params.table;
}

export async function show(main, params) {
  if (params.table) await showTable(main, params.table);
  else await showList(main);
}

/* ---- figures that came with the program ---- */

const ELSEWHERE = "not played here";

/* "These are the figures of versions 0.1 and 0.2, 2026-11-16. ", or nothing. */
function whose(tables) {
  if (tables.length === 0) return "";
  const versions = [...new Set(tables.flatMap((one) => one.shipped.versions))];
  const last = tables.map((one) => one.shipped.last).sort().at(-1);
  return `These are the figures of ${versions.length === 1 ? "version" : "versions"} ${new Intl.ListFormat("en-GB").format(versions)}, ${last}. `;
}

/* ---- the list ---- */

async function showList(main) {
  const { tables } = await get("lab");
  const shipped = tables.filter((one) => one.shipped), here = tables.some((one) => !one.shipped && one.played > 0);
  main.append(el("div", {}, el("h1", {}, "Lab"),
    el("p", { class: "list-lead" }, "Tables of papers about general game playing, played again with this program. For each figure it says whether ours agrees with the paper's."),
    tables.length === 0 ? empty("There are no tables: start the server where the folder tables is.") : null,
    tables.length > 0 && !here && empty(`Nothing of them has been played here. ${whose(shipped)}To play a little of one:`, `tafl lab ${tables[0].id} --games 4`),
    here && shipped.length > 0 && el("p", { class: "muted" }, `Tables that say “${ELSEWHERE}” have figures that came with the program. ${whose(shipped)}`),
    tables.length > 0 && table("Tables, the oldest papers first", [column("Table"), numbers("Cells played"), numbers("Games"), numbers("✓ agree"), numbers("≈ near"), numbers("✗ differ")], [{ rows: tables.map((one) => lineOf(one, here)) }])));
}

/* `mixed`: some tables were played here, so that those which were not have to say so. */
function lineOf(one, mixed) {
  return [
    [el("a", { href: `#/lab/${encodeURIComponent(one.id)}` }, one.title), el("small", { class: "list-below muted" }, one.source, mixed && one.shipped && `; ${ELSEWHERE}`)],
    `${count(one.played)} of ${count(one.cells)}`,
    count(one.games),
    ...["agree", "near", "differ"].map((name) => (one.played ? count(one[name]) : "–")),
  ];
}

/* ---- one of them ---- */

async function showTable(main, id) {
  const lab = await get(`lab/${encodeURIComponent(id)}`);
  shown = { id, title: lab.title };
  main.append(el("div", {}, el("p", {}, el("a", { href: "#/lab" }, "All tables")),
    el("h1", {}, lab.title), el("p", { class: "muted" }, lab.source),
    lab.shipped && empty(`Nothing of it has been played here. ${whose([lab])}To play it:`, lab.command),
    el("p", { class: "list-lead" }, outcome(lab)),
    lab.played === 0 && empty("To play it:", lab.command),
    figures(lab), legend(lab), charts(lab), notes(lab)));
}

function outcome(lab) {
  if (lab.played === 0) return `None of its ${many(lab.cells, "figure")} has been played yet.`;
  const words = { agree: ["agrees with the paper", "agree with the paper"], near: ["is near", "are near"], differ: ["differs", "differ"] };
  const parts = Object.keys(words).filter((name) => lab.verdicts[name]).map((name) => `${lab.verdicts[name]} ${words[name][lab.verdicts[name] === 1 ? 0 : 1]}`);
  const distance = lab.mean_absolute_difference !== null && lab.measure !== "speed" ? ` On average they are ${lab.mean_absolute_difference.toFixed(1)} apart${lab.expected_by_chance === null ? "" : `; chance alone would give ${lab.expected_by_chance.toFixed(1)}`}.` : "";
  return `${count(lab.played)} of ${many(lab.cells, "figure")} played: ${parts.join(", ") || "none can be compared"}.${distance}`;
}

function figures(lab) {
  const heads = [column(lab.columns.length === 1 ? lab.columns[0].name : "Figure"), numbers("Paper"), numbers(lab.shipped ? "Ours" : "Here"), column("Verdict"), numbers("Games")];
  return table(`${MEASURES[lab.measure] ?? lab.measure} Figures with 95 % intervals`, heads, lab.columns.length === 1 ? single(lab) : grouped(lab));
}

/* A table with one column has a line for each row; else each row is a group with a line
   for each column. */
function single(lab) {
  const rows = lab.rows.map((name, at) => [name, lab.figures[at][0]]).filter(([, cell]) => cell);
  const mean = lab.columns[0].mean;
  return [{ rows: [...rows, ...(mean ? [["Mean", mean]] : [])].map(([name, cell]) => lineFor(name, cell)) }];
}

function grouped(lab) {
  const groups = lab.rows.map((name, row) => ({
    title: name,
    rows: lab.columns.map((one, at) => [one.name, lab.figures[row][at]]).filter(([, cell]) => cell).map(([word, cell]) => lineFor(word, cell)),
  }));
  const means = lab.columns.filter((one) => one.mean).map((one) => lineFor(one.name, one.mean));
  return means.length ? [...groups, { title: "Mean of the rows", rows: means }] : groups;
}

function lineFor(name, cell) {
  return [name, paper(cell.paper), cell.games ? figure(cell.ours.value, cell.ours.interval) : "not played", [verdict(cell), trouble(cell), why(cell)], count(cell.games)];
}

/* An interval in brackets is not the paper's own. */
function paper(estimate) {
  if (estimate.derived && estimate.interval !== null && estimate.value !== null) return `${figure(estimate.value)} (±\u00a0${figure(estimate.interval)})`;
  return figure(estimate.value, estimate.interval);
}

function verdict(cell) {
  const known = VERDICTS[cell.verdict];
  if (!known) return el("span", { class: "muted" }, cell.games ? "not compared" : "");
  return el("span", { class: `list-verdict ${known.kind}` }, el("span", { "aria-hidden": "true" }, known.sign), " ", known.word);
}

function trouble(cell) {
  const words = [cell.cut && `${many(cell.cut, "game")} cut off`, cell.errors && many(cell.errors, "error")].filter(Boolean).join(", ");
  return words && el("small", { class: "list-below muted" }, words);
}

/* Why we differ, where we do: an explanation may be one of a whole row or table. */
function why(cell) {
  return cell.explanation && ["near", "differ"].includes(cell.verdict) && el("small", { class: "list-below muted" }, prose(cell.explanation));
}

function legend(lab) {
  return el("p", { class: "muted" }, Object.values(VERDICTS).map((one, at) => [at ? "; " : "", `${one.sign} ${one.word}: ${one.about}`]), ". An interval in brackets is not the paper's own, but follows from its number of games or its widest one.",
    lab.played > 0 && !lab.shipped && [" To play more: ", el("code", {}, lab.command)]);
}

function charts(lab) {
  if (lab.charts.length === 0) return null;
  return el("section", {}, el("h2", {}, lab.charts.length === 1 ? "Chart" : "Charts"),
    el("div", { class: "list-charts" }, lab.charts.map((one) => chart(address(`lab/${encodeURIComponent(lab.id)}/${encodeURIComponent(one.name)}.svg`), one.title))));
}

function notes(lab) {
  if (lab.notes.length === 0) return null;
  return el("section", {}, el("h2", {}, "Notes"), el("ul", { class: "list-notes" }, lab.notes.map((text) => el("li", {}, prose(text)))));
}
