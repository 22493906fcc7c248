/* Game: a game's rules in words, its board, the form that begins a match, what the
   analysis found (which may come some seconds later), and the rules as they are written. */

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
  const facts = factsOf(game, path);
  main.append(el("div", { class: "game" },
    head(game, about),
    el("div", { class: "game-board" }, view?.node, el("section", { class: "game-words", "aria-labelledby": "words-heading" }, el("h2", { id: "words-heading" }, "How it is played"), paragraphs(game))),
    el("div", { class: "stack game-side" },
      !game.error && el("section", { class: "panel", "aria-labelledby": "play-heading" }, el("h2", { id: "play-heading" }, "Who plays"), form(game, about)),
      facts.node),
    rulesOf(game, path)));
  return () => {
    facts.close();
    view?.destroy();
  };
}

function head(game, about) {
  return el("header", { class: "game-head" },
    el("h1", {}, game.title),
    el("p", { class: "row" }, !game.error && ways(game, about), kinds(game).map((text) => el("span", { class: "badge" }, text))),
    game.error && notice(`These rules cannot be played: ${game.error}`));
}

/* Play at once, or let programs play. */
function ways(game, about) {
  const watch = el("button", { type: "button", class: "button" }, icon("eye"), game.roles.length === 1 ? "Watch a program play" : "Watch programs play");
  watch.addEventListener("click", async () => {
    watch.disabled = true;
    try {
      await begin(game, watching(game, about));
    } catch (error) {
      watch.closest("header").append(notice(error));
    }
    watch.disabled = false;
  });
  return [el("a", { class: "button primary", href: `#/play/${encodeURIComponent(game.name)}` }, icon("play"), "Play now"), watch];
}

function kinds(game) {
  const number = game.roles?.length ?? 0;
  if (number === 0) return [];
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

/* -> {node, close}. While the facts are being found, the server is asked again. */
function factsOf(game, path) {
  const body = el("div", { role: "status" });
  let timer = 0;
  let closed = false;

  function put(facts) {
    if (facts === null) {
      body.replaceChildren(el("p", { class: "muted" }, "It is still looking at this game …"));
      timer = setTimeout(ask, 1500);
    } else if (facts.failed) {
      body.replaceChildren(el("p", { class: "muted" }, `Nothing: ${facts.failed}`));
    } else {
      body.replaceChildren(el("dl", { class: "facts" }, findings(facts).map((fact) => [el("dt", {}, fact.term), el("dd", {}, fact.text)])));
    }
  }

  async function ask() {
    try {
      const { facts } = await get(path);
      if (!closed) put(facts);
    } catch {
      if (!closed) timer = setTimeout(ask, 3000);
    }
  }

  put(game.error ? { failed: game.error } : (game.facts ?? null));
  return {
    node: el("section", { class: "panel", "aria-labelledby": "facts-heading" }, el("h2", { id: "facts-heading" }, "What the program found out"), body),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function rulesOf(game, path) {
  return el("section", { class: "game-rules", "aria-labelledby": "rules-heading" },
    el("h2", { id: "rules-heading" }, "The rules as the program reads them"),
    el("p", { class: "row" },
      el("a", { class: "button", href: `#/try?game=${encodeURIComponent(game.name)}` }, icon("pencil"), "Change them in Try"),
      el("a", { href: address(`${path}/rules`) }, "Plain text")),
    el("pre", { class: "gdl", tabindex: "0", role: "region", "aria-label": `Rules of ${game.title} in the Game Description Language` }, lines(game.rules)));
}
