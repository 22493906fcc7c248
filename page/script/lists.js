/* What the screens with lists and tables share: tables that scroll by themselves, figures
   with their intervals, times, and what is said where there is nothing yet. */

import { el } from "./dom.js";

/* A table in a region of its own that can be scrolled by keys. Heads are {text, number};
   groups are {title, rows}, with a heading if there is a title; a row is a list of cells,
   of which the first is the row's heading. A cell is a text, a node, a list of them, or
   null. The caption is seen above the region, so that it does not scroll away. */
export function table(caption, heads, groups) {
  const number = (at) => (heads[at].number ? "number" : null);
  const line = (cells) => el("tr", {}, cells.map((cell, at) =>
    at === 0 ? el("th", { scope: "row", class: number(at) }, cell) : el("td", { class: number(at) }, cell)));
  const body = (group) => el("tbody", {},
    group.title && el("tr", { class: "list-group" }, el("th", { scope: "rowgroup", colspan: heads.length }, group.title)),
    group.rows.map(line));
  return el("div", { class: "list-panel" },
    el("p", { class: "list-caption muted", "aria-hidden": "true" }, caption),
    el("div", { class: "scroll list-scroll", role: "region", tabindex: "0", "aria-label": caption },
      el("table", {},
        el("caption", { class: "visually-hidden" }, caption),
        el("thead", {}, el("tr", {}, heads.map((head, at) => el("th", { scope: "col", class: number(at) }, head.text)))),
        groups.map(body))));
}

export const column = (text) => ({ text, number: false });
export const numbers = (text) => ({ text, number: true });

/* "61.5 ± 6.7", or as much of it as is known. */
export function figure(value, half) {
  if (value === null || value === undefined) return "–";
  return half === null || half === undefined ? decimal(value) : `${decimal(value)} ±\u00a0${decimal(half)}`;
}

export function decimal(value) {
  const digits = Math.abs(value) >= 1000 ? 0 : 1;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace(/^-/, "−");
}

export const count = (value) => value.toLocaleString("en");

/* "1 game", "12 games". */
export const many = (value, one, more) => `${count(value)} ${value === 1 ? one : more ?? one + "s"}`;

/* A moment such as "2026-11-16T15:30:00Z", in the reader's own time. */
export function moment(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text ?? "";
  return el("time", { datetime: text }, date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }));
}

/* What stands where a list is empty: how something gets there. */
export function empty(words, command) {
  return el("p", { class: "list-empty panel" }, words, command && [" ", el("code", {}, command)]);
}

/* A chart of the server, which has its own words for those who do not see it. */
export function chart(source, words) {
  return el("figure", { class: "list-chart" },
    el("img", { src: source, alt: words, loading: "lazy" }),
    el("figcaption", { class: "muted" }, words));
}
