/* Games without a board: the facts of a state as tables, one for each functor,
   arguments in columns. Facts that the last step brought are marked. */
import { el, clear } from "./dom.js";

/* "(cell 1 (f a) b)" -> ["cell", "1", "(f a)", "b"]; a word alone is a list of one. */
function splitFact(text) {
  const body = text.startsWith("(") && text.endsWith(")") ? text.slice(1, -1) : text;
  const parts = [];
  let [depth, part] = [0, ""];
  for (const character of body) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === " " && depth === 0) {
      if (part) parts.push(part);
      part = "";
    } else {
      part += character;
    }
  }
  if (part) parts.push(part);
  return parts;
}

/* stepCount, step_count -> "step count" */
export const plain = (name) => name.replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const order = new Intl.Collator("en", { numeric: true });

function families(facts) {
  const map = new Map();
  for (const text of facts) {
    const [name, ...args] = splitFact(text);
    const id = `${name}/${args.length}`;
    if (!map.has(id)) map.set(id, { name, arity: args.length, rows: [] });
    map.get(id).rows.push({ text, args });
  }
  const list = [...map.values()];
  for (const family of list) family.rows.sort((a, b) => order.compare(a.args.join(" "), b.args.join(" ")));
  return list.sort((a, b) => b.arity - a.arity || order.compare(a.name, b.name));
}

const MOST = 120; /* facts of one functor that are shown */
const LONG = 14; /* rows */

function shownRows(family, fresh) {
  if (family.rows.length <= MOST) return family.rows;
  return [...family.rows.filter((row) => fresh.has(row.text)), ...family.rows.filter((row) => !fresh.has(row.text))].slice(0, MOST);
}

const more = (family) => family.rows.length > MOST ? `… and ${family.rows.length - MOST} more` : null;
const mark = (fresh, text) => fresh.has(text) ? "is-new" : null;

/* Facts of no or one argument: a line of words. */
function wordsOf(family, fresh) {
  if (family.arity === 0) {
    return family.rows.map((row) => el("span", { class: mark(fresh, row.text) ?? "" }, "yes"));
  }
  return [shownRows(family, fresh).map((row) => el("span", { class: mark(fresh, row.text) ?? "" }, row.args[0])), more(family)];
}

/* A long table scrolls by itself. */
function tableOf(family, fresh) {
  const table = tableAlone(family, fresh);
  if (family.rows.length <= LONG) return table;
  return el("div", { class: "facts-scroll", tabindex: "0", role: "region", "aria-label": plain(family.name) }, table);
}

function tableAlone(family, fresh) {
  return el("table", { class: "facts-table" }, el("caption", {}, plain(family.name)),
    el("tbody", {}, shownRows(family, fresh).map((row) => el("tr", { class: mark(fresh, row.text) },
      row.args.map((text, i) => i === 0 && row.args.length > 1 ? el("th", { scope: "row" }, text) : el("td", {}, text)))),
    more(family) && el("tfoot", {}, el("tr", {}, el("td", { colspan: family.arity }, more(family))))));
}

export class FactTable {
  constructor(options = {}) {
    this.facts = null;
    this.node = el("div", { class: "facts-board", role: "group", "aria-label": options.label });
  }

  show(facts) {
    const known = new Set(this.facts ?? facts);
    const fresh = new Set(facts.filter((text) => !known.has(text)));
    const list = families(facts);
    const short = list.filter((family) => family.arity < 2);
    clear(this.node).append(...[
      short.length ? el("dl", { class: "facts-list" }, short.map((family) => [el("dt", {}, plain(family.name)), el("dd", {}, wordsOf(family, fresh))])) : null,
      ...list.filter((family) => family.arity >= 2).map((family) => tableOf(family, fresh))].filter(Boolean));
    this.facts = facts;
  }
}
