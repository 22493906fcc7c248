/* The frame around the screens: the address after # names a screen with its parameters,
   and this module puts it into <main>.

   A screen gets an element of its own (`main` of show), so that one that is still waiting
   for the server cannot write into the next. Its cleanup runs when it is left, also if it
   was left before it was ready. */

import { el, clear, icon, announce } from "./dom.js";
import { onConnection, onTokenNeeded, takeToken } from "./api.js";
import { problem } from "./problem.js";

/* By the first word of the path: the module, what further words are called, the entry of
   the navigation. `params` also has `route` (the first word) and `query` (an object). */
const ROUTES = {
  "": { module: "home", words: [], entry: "#/" },
  games: { module: "game", words: ["name"], entry: "#/" },
  play: { module: "play", words: ["name"], entry: "#/" },
  match: { module: "match", words: ["id"], entry: "#/matches" },
  record: { module: "match", words: ["id"], entry: "#/matches" },
  matches: { module: "matches", words: [], entry: "#/matches" },
  tours: { module: "tours", words: ["id"], entry: "#/tours" },
  lab: { module: "lab", words: ["table"], entry: "#/lab" },
  players: { module: "players", words: [], entry: "#/players" },
  try: { module: "try", words: [], entry: "#/try" },
};

const main = document.getElementById("main");
let current = null; /* {left, cleanup} of the screen that is shown */
const scrolls = new Map(); /* by key of a place in the history: how far down */

/* "#/games/NAME?x=1" -> {route, name: "NAME", query: {x: "1"}}, or null. */
function parse(hash) {
  const [path, query] = hash.replace(/^#?\/?/, "").split("?", 2);
  let words;
  try {
    words = path.split("/").map(decodeURIComponent);
  } catch {
    return null;
  }
  const route = Object.hasOwn(ROUTES, words[0]) ? ROUTES[words[0]] : null;
  if (!route || words.length - 1 > route.words.length) return null;
  const params = { route: words[0], query: Object.fromEntries(new URLSearchParams(query ?? "")) };
  route.words.forEach((name, at) => {
    if (words[at + 1]) params[name] = words[at + 1];
  });
  const needed = ["games", "play", "match", "record"].includes(words[0]);
  return needed && !params[route.words[0]] ? null : params;
}

async function go() {
  if (location.hash === "#main") return;
  takeToken();
  leave();
  const params = parse(location.hash);
  const screen = { left: false, cleanup: null };
  const first = current === null;
  current = screen;
  showEntry(params ? ROUTES[params.route].entry : null);
  const node = el("div", { class: "screen" });
  const wait = setTimeout(() => node.hasChildNodes() || node.append(waiting()), 400);
  const place = placeInHistory();
  clear(main).append(node);
  main.setAttribute("aria-busy", "true");
  const name = await fill(screen, node, params);
  clearTimeout(wait);
  if (screen.left) return;
  main.removeAttribute("aria-busy");
  document.title = name === "Tafl" ? name : `${name} – Tafl`;
  if (!first) focusHeading(node);
  window.scrollTo(0, place);
}

/* Fills the screen's node; returns its title. A screen may have written into the node
   before it failed, or before waiting() was there. */
async function fill(screen, node, params) {
  if (!params) {
    node.append(problem("There is no such page", "The address may be mistyped, or the link old.", { home: true }));
    return "No such page";
  }
  try {
    const module = await import(`./screens/${ROUTES[params.route].module}.js`);
    const cleanup = await module.show(node, params);
    node.querySelector(":scope > .waiting")?.remove();
    if (screen.left) cleanup?.();
    else screen.cleanup = cleanup;
    return module.title(params);
  } catch (error) {
    clear(node).append(problem("This did not work", error, { again: go, home: true }));
    if (error?.status === undefined) console.error(error);
    return "A problem";
  }
}

function waiting() {
  return el("p", { class: "waiting muted" }, "One moment …");
}

function leave() {
  if (!current) return;
  current.left = true;
  current.cleanup?.();
  current.cleanup = null;
}

function showEntry(entry) {
  for (const link of document.querySelectorAll("#screens a")) {
    if (link.getAttribute("href") === entry) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function focusHeading(node) {
  const heading = node.querySelector("h1");
  if (!heading || node.contains(document.activeElement)) return;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
}

/* A place of the history that was seen before is shown where it was left. */
function placeInHistory() {
  const key = history.state?.key;
  if (key === undefined) history.replaceState({ key: `${Date.now()}.${Math.random()}` }, "");
  return scrolls.get(key) ?? 0;
}

function rememberScroll() {
  const key = history.state?.key;
  if (key !== undefined && !main.hasAttribute("aria-busy")) scrolls.set(key, window.scrollY);
}

/* Colours: what the system prefers until someone chooses. */
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function drawTheme(button) {
  const other = isDark() ? "light" : "dark";
  clear(button).append(icon(isDark() ? "sun" : "moon"));
  button.setAttribute("aria-label", `Use ${other} colours`);
  button.setAttribute("title", `Use ${other} colours`);
}

function changeTheme(button) {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("tafl-theme", theme);
  } catch {
    /* It lasts until the page is loaded again. */
  }
  drawTheme(button);
}

function showConnection(there) {
  const banner = document.getElementById("banner");
  banner.hidden = there;
  clear(banner).append(there ? "" : "The server is gone. This page connects again as soon as it is back.");
  if (!there) return;
  announce("The server is back.");
  if (main.querySelector(".problem")) go();
}

function begin() {
  const theme = document.getElementById("theme");
  drawTheme(theme);
  theme.addEventListener("click", () => changeTheme(theme));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawTheme(theme));
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  onConnection(showConnection);
  onTokenNeeded(async (wrong) => (await import("./token.js")).askForToken(wrong));
  history.scrollRestoration = "manual";
  window.addEventListener("scroll", rememberScroll, { passive: true });
  window.addEventListener("hashchange", go);
  go();
}

begin();
