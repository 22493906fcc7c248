/* What the page says when something went wrong: a heading, a sentence in words, and what
   can be done. */

import { el, icon } from "./dom.js";

/* `what` is a text or an error; ways: again (a function), home (true). */
export function problem(heading, what, ways) {
  return el("div", { class: "problem" },
    el("h1", {}, heading),
    el("p", {}, words(what)),
    el("p", { class: "row" },
      ways?.again && el("button", { type: "button", class: "button primary", on: { click: ways.again } }, icon("refresh"), "Try again"),
      ways?.home && el("a", { class: "button", href: "#/" }, icon("home"), "To the games")));
}

/* A line within a screen, where the rest of it still stands. */
export function notice(what) {
  return el("p", { class: "notice bad", role: "alert" }, icon("warn"), el("span", {}, words(what)));
}

/* An error in words. Those of the server are written for people. */
export function words(what) {
  if (typeof what === "string") return what;
  if (what?.name === "ApiError") return sentence(what.message);
  if (what instanceof TypeError && /import|module/i.test(what.message)) return "A part of this page could not be fetched from the server.";
  return "This page made a mistake. " + sentence(what?.message ?? "");
}

function sentence(text) {
  const plain = String(text).trim();
  if (!plain) return "";
  const begun = plain[0].toUpperCase() + plain.slice(1);
  return /[.!?…]$/.test(begun) ? begun : begun + ".";
}
