/* Game: a game's rules in words, its board, the form that begins a match, what the
   analysis found, and the rules as they are written. */

import { el, icon } from "../dom.js";
import { address, get, server } from "../api.js";
import { begin, choices, watching } from "../choices.js";
import { findings } from "../findings.js";
import { lines } from "../gdl.js";
import { notice } from "../problem.js";

let shown = null; /* the title of the game that was fetched last, and its name */

export function title(params) {
  return shown?.name === params.name ? shown.title : params.name;
}

export async function show(main, params) {
  const path = `games/${encodeURIComponent(params.name)}`;
  const [game, about] = await Promise.all([get(path), server()]);
  shown = { name: params.name, title: game.title };
  const view = game.scene ? await boardOf(game) : null;
  main.append(el("div", { class: "game" },
    head(game, about),
    el("div", { class: "game-board" }, view?.node, el("section", { class: "game-words", "aria-labelledby": "words-heading" }, el("h2", { id: "words-heading" }, "How it is played"), paragraphs(game))),
    el("div", { class: "stack game-side" },
      el("section", { class: "panel", "aria-labelledby": "play-heading" }, el("h2", { id: "play-heading" }, "Who plays"), form(game, about)),
      factsOf(game)),
    rulesOf(game, path)));
  return () => view?.destroy();
}

function head(game, about) {
  const message = el("div", {});
  const watch = el("button", { type: "button", class: "button" }, icon("eye"), game.roles.length === 1 ? "Watch a program play" : "Watch programs play");
  watch.addEventListener("click", async () => {
    watch.disabled = true;
    try {
      await begin(game, watching(game, about));
    } catch (error) {
      message.replaceChildren(notice(error));
    }
    watch.disabled = false;
  });
  return el("header", { class: "game-head" },
    el("h1", {}, game.title),
    el("p", { class: "row" },
      el("a", { class: "button primary", href: `#/play/${encodeURIComponent(game.name)}` }, icon("play"), "Play now"), watch,
      kinds(game).map((text) => el("span", { class: "badge" }, text))), message);
}

function kinds(game) {
  const number = game.roles.length;
  const how = { puzzle: "puzzle", turns: "in turn", simultaneous: "at the same time" }[game.kind];
  return [number === 1 ? "one player" : `${number} players`, how].filter((text) => text && text !== "one player");
}

async function boardOf(game) {
  const { BoardView } = await import("../board.js");
  const view = new BoardView(game.scene, { label: `${game.title}: how it begins` });
  view.show(game.state);
  return view;
}

function paragraphs(game) {
  if (!game.words?.length) return el("p", { class: "muted" }, "The file says nothing about this game in words. Its rules stand below.");
  return game.words.map((text) => el("p", {}, text));
}

/* The server looks names up in its library: of the whole document it needs the name. */
function form(game, about) {
  return choices(game, about, { onStart: (choice) => begin(game, choice), word: "Play" });
}

function factsOf(game) {
  const list = findings(game.facts);
  if (list.length === 0) return null;
  return el("section", { class: "panel", "aria-labelledby": "facts-heading" },
    el("h2", { id: "facts-heading" }, "What the program found out"),
    el("dl", { class: "facts" }, list.map((fact) => [el("dt", {}, fact.term), el("dd", {}, fact.text)])));
}

function rulesOf(game, path) {
  return el("section", { class: "game-rules", "aria-labelledby": "rules-heading" },
    el("h2", { id: "rules-heading" }, "The rules as the program reads them"),
    el("p", { class: "row" },
      el("a", { class: "button", href: `#/try?game=${encodeURIComponent(game.name)}` }, icon("pencil"), "Change them in Try"),
      el("a", { href: address(`${path}/rules`) }, "Plain text")),
    el("pre", { class: "gdl", tabindex: "0", role: "region", "aria-label": `Rules of ${game.title} in the Game Description Language` }, lines(game.rules)));
}
