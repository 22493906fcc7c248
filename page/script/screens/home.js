/* Home: what this is, a way to play at once, the games with their boards, the matches
   that are running.

   The frame of the screen stands before the server has answered. A card lives as long as
   the screen and is found by the name of its game; what arrives later (its board, how many
   play) is put into it, so that nobody loses the place where he is. */

import { el, clear, icon, announce } from "../dom.js";
import { get, server } from "../api.js";
import { begin, watching } from "../choices.js";
import { notice } from "../problem.js";
import { picture } from "../picture.js";
import { running } from "./running.js";

const FIRST = "breakthrough"; /* what the big button plays, if the library has it */

const GROUPS = [
  { id: "two", title: "Two players", has: (game) => game.roles?.length === 2 && game.kind !== "simultaneous" },
  { id: "puzzles", title: "Puzzles", has: (game) => game.roles?.length === 1 },
  { id: "simultaneous", title: "Both at the same time", has: (game) => game.roles?.length === 2 && game.kind === "simultaneous" },
  { id: "many", title: "More than two", has: (game) => game.roles?.length > 2 },
  { id: "other", title: "Not looked at yet", has: () => true },
];

/* What was sought and chosen stays while the page is open; so do the games, which are
   shown at once to someone who comes back. */
const kept = { text: "", group: "all", games: null };

export function title() {
  return "Tafl";
}

export async function show(main) {
  const hero = heroNode();
  const gallery = galleryNode();
  const matches = running();
  main.append(hero.node, matches.node, gallery.node);
  const put = (games) => {
    kept.games = games;
    hero.put(games);
    gallery.put(games);
  };
  if (kept.games) put(kept.games);
  const stop = fetchGames(put, gallery.fail);
  return () => {
    stop();
    hero.close();
    gallery.close();
    matches.close();
  };
}

/* Asks until every game has its board; the waits grow while nothing new comes. */
function fetchGames(put, fail) {
  let timer = 0;
  let stopped = false;
  let missing = Infinity;
  let wait = 500;

  async function ask() {
    try {
      const { games, making } = await get("games");
      if (stopped) return;
      put(games);
      wait = making < missing ? 700 : Math.min(wait * 1.6, 15000);
      missing = making;
      if (making > 0) timer = setTimeout(ask, wait);
    } catch (error) {
      if (stopped) return;
      fail(error);
      timer = setTimeout(ask, 3000);
    }
  }

  ask();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/* The beginning: one sentence, one big button, one board. */

function heroNode() {
  const board = picture();
  const link = el("a", { class: "button primary big", href: `#/play/${FIRST}` }, icon("play"), el("span", {}, "Play Breakthrough now"));
  const face = el("a", { class: "hero-board", href: link.getAttribute("href"), tabindex: "-1", "aria-hidden": "true" }, board.node);
  const watch = el("button", { type: "button", class: "button big" }, icon("eye"), "Watch two programs");
  const message = el("div", {});
  let first = null;
  watch.addEventListener("click", () => first && startWatching(first, watch, message));

  function put(games) {
    first = games.find((game) => game.name === FIRST) ?? games.find((game) => game.roles?.length === 2) ?? games[0];
    if (!first) return;
    const to = `#/play/${encodeURIComponent(first.name)}`;
    link.setAttribute("href", to);
    face.setAttribute("href", to);
    link.lastChild.textContent = `Play ${first.title} now`;
    board.put(first.scene, first.state);
  }

  return {
    node: el("section", { class: "hero" },
      el("div", { class: "hero-words" },
        el("h1", {}, "Play any board game against a program that was only told its rules"),
        el("p", { class: "hero-about" }, "Choose a game and move: click a piece, then where it shall go. You can take moves back, ask for a hint and look at what your opponent is thinking."),
        el("p", { class: "row" }, link, watch), message),
      face),
    put,
    close: board.close,
  };
}

async function startWatching(game, button, message) {
  clear(message);
  button.disabled = true;
  try {
    await begin(game, watching(game, await server()));
  } catch (error) {
    message.append(notice(error));
  }
  button.disabled = false;
}

/* The games. */

function galleryNode() {
  const cards = new Map(); /* by name: {node, game, board, put} */
  const groups = new Map(GROUPS.map((group) => [group.id, groupNode(group)]));
  const message = el("div", {});
  const count = el("p", { class: "muted", role: "status" });
  const search = el("input", { type: "search", id: "search", value: kept.text, placeholder: "Name, or a word of the rules", autocomplete: "off", spellcheck: "false" });
  const filters = el("div", { class: "row filters", role: "group", "aria-label": "Which games" });
  let waiting = true;

  function put(games) {
    waiting = false;
    clear(message);
    for (const game of games) putCard(game);
    const names = new Set(games.map((game) => game.name));
    for (const [name, card] of cards) if (!names.has(name)) forget(name, card);
    for (const [id, group] of groups) arrange(group.list, games.map((game) => cards.get(game.name)).filter((card) => card.group === id));
    filter();
  }

  function putCard(game) {
    const known = cards.get(game.name);
    const card = known ?? cardNode(game.name, message);
    cards.set(game.name, card);
    card.group = groupOf(game);
    card.put(game);
  }

  function forget(name, card) {
    card.close();
    card.node.remove();
    cards.delete(name);
  }

  function filter() {
    const words = kept.text.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const card of cards.values()) {
      const fits = (kept.group === "all" || kept.group === card.group) && words.every((word) => card.text.includes(word));
      card.node.hidden = !fits;
      shown += fits;
    }
    for (const group of groups.values()) group.node.hidden = !group.list.querySelector(":scope > :not([hidden])");
    drawFilters();
    count.textContent = waiting ? "The games are being fetched …" : howMany(shown, cards.size);
  }

  function drawFilters() {
    const used = GROUPS.filter((group) => [...cards.values()].some((card) => card.group === group.id));
    const list = [{ id: "all", title: "All" }, ...used];
    if (list.length === filters.childElementCount) {
      list.forEach((group, at) => filters.children[at].setAttribute("aria-pressed", String(kept.group === group.id)));
      return;
    }
    clear(filters).append(...list.map((group) => el("button", { type: "button", class: "button", "aria-pressed": String(kept.group === group.id), on: { click: () => choose(group) } }, group.title)));
  }

  function choose(group) {
    kept.group = group.id;
    filter();
    announce(`${group.title}: ${count.textContent}`);
  }

  search.addEventListener("input", () => {
    kept.text = search.value;
    filter();
  });
  filter();

  return {
    node: el("section", { class: "gallery", "aria-labelledby": "games-heading" },
      el("h2", { id: "games-heading" }, "Games"),
      el("div", { class: "row end gallery-tools" }, el("label", { class: "field", for: "search" }, "Search", search), filters),
      count, message, [...groups.values()].map((group) => group.node)),
    put,
    fail: (error) => clear(message).append(notice(error)),
    close: () => cards.forEach((card) => card.close()),
  };
}

function howMany(shown, all) {
  if (all === 0) return "The library of this server is empty. Start it with games, or try a text of your own.";
  if (shown === all) return `${all} games`;
  return shown === 0 ? "No game fits. Try another word." : `${shown} of ${all} games`;
}

/* Puts the cards of a group in the order of the list; nodes that stand right stay. */
function arrange(list, cards) {
  cards.forEach((card, at) => {
    if (list.children[at] !== card.node) list.insertBefore(card.node, list.children[at] ?? null);
  });
}

function groupOf(game) {
  return GROUPS.find((group) => group.has(game)).id;
}

function groupNode(group) {
  const list = el("ul", { class: "cards" });
  return { list, node: el("section", { class: "group", hidden: true, "aria-labelledby": `group-${group.id}` }, el("h3", { id: `group-${group.id}` }, group.title), list) };
}

/* A card: the board and the name begin a game; the rules and watching are beside. */
function cardNode(name, message) {
  const board = picture();
  const path = encodeURIComponent(name);
  const heading = el("a", { class: "card-play", href: `#/play/${path}` });
  const rules = el("a", { class: "card-rules", href: `#/games/${path}` }, "Rules");
  const watch = el("button", { type: "button", class: "button quiet" }, icon("eye"), "Watch");
  const about = el("p", { class: "card-about muted" });
  const card = {
    node: el("li", { class: "card panel" }, board.node, el("h4", {}, heading), about, el("p", { class: "row card-ways" }, rules, watch)),
    text: "",
    put,
    close: board.close,
  };
  let game = null;

  function put(now) {
    const drawn = game?.scene;
    game = now;
    card.text = `${game.title} ${name} ${game.about ?? ""}`.toLowerCase();
    heading.textContent = game.title;
    heading.setAttribute("aria-label", `Play ${game.title}`);
    rules.setAttribute("aria-label", `Rules of ${game.title}`);
    watch.setAttribute("aria-label", `Watch programs play ${game.title}`);
    watch.disabled = !game.roles;
    about.textContent = game.about ?? "";
    if (!drawn) board.put(game.scene, game.state);
  }

  watch.addEventListener("click", () => startWatching(game, watch, message));
  return card;
}
