/* Players: programs of others that play over HTTP. An address can be tested (ping), and
   played against.

   Addresses come from localStorage "tafl-players", a list, and from the store; those of
   the store cannot be removed here. A test takes some seconds, and one runs at a time. */

import { el, clear, icon, announce } from "../dom.js";
import { get, post, server } from "../api.js";
import { begin, recall } from "../choices.js";
import { notice, words } from "../problem.js";

const KEY = "tafl-players";
const RESULTS = {
  pass: { word: "right", kind: "good", icon: "check" },
  fail: { word: "wrong", kind: "bad", icon: "close" },
  skip: { word: "not asked", kind: "", icon: "forward" },
  note: { word: "could be better", kind: "warn", icon: "warn" },
};

export function title() {
  return "Players";
}

export async function show(main) {
  const [stored, about] = await Promise.all([get("players").then((reply) => reply.players, () => []), server()]);
  const screen = new Players(stored, about);
  main.append(screen.node);
}

class Players {
  constructor(stored, about) {
    this.stored = stored;
    this.about = about;
    this.busy = false;
    this.field = el("input", { type: "text", inputmode: "url", autocomplete: "off", spellcheck: "false", placeholder: "http://host:9147" });
    this.message = el("div", {});
    this.list = el("ul", { class: "players-list" });
    this.empty = el("p", { class: "muted" }, "No addresses yet.");
    this.node = el("div", { class: "players" },
      el("h1", {}, "Players elsewhere"),
      el("p", { class: "muted" }, "Programs that play over the network, at an address such as ", el("code", {}, "http://host:9147"), ". Test whether one keeps to the protocol, or play against it."),
      el("form", { class: "row end", novalidate: true, on: { submit: (event) => this.add(event) } },
        el("label", { class: "field players-field" }, "Address of a player", this.field),
        el("button", { type: "submit", class: "button primary" }, icon("plus"), "Add")),
      this.message, this.empty, this.list);
    this.draw();
  }

  draw() {
    const own = readOwn();
    const known = new Map(this.stored.map((player) => [player.url, player.matches]));
    const all = [...new Set([...own, ...known.keys()])];
    this.empty.hidden = all.length > 0;
    clear(this.list).append(...all.map((url) => this.entry(url, known.get(url) ?? 0, own.includes(url))));
  }

  add(event) {
    event.preventDefault();
    clear(this.message);
    const url = addressOf(this.field.value);
    if (!url) {
      this.message.append(notice("This is not an address. It looks like http://host:9147."));
      this.field.focus();
      return;
    }
    writeOwn([...new Set([...readOwn(), url])]);
    this.field.value = "";
    this.draw();
    announce(`${url} added.`);
  }

  remove(url) {
    writeOwn(readOwn().filter((other) => other !== url));
    this.draw();
    announce(`${url} removed.`);
    this.field.focus();
  }

  entry(url, matches, own) {
    const result = el("div", { class: "players-result", role: "status" });
    const test = el("button", { type: "button", class: "button", on: { click: () => this.test(url, test, result) } }, icon("check"), "Test");
    return el("li", { class: "panel" },
      el("div", { class: "row" },
        el("h2", { class: "players-url" }, url),
        matches > 0 && el("span", { class: "badge" }, matches === 1 ? "1 match here" : `${matches} matches here`)),
      el("div", { class: "row end" }, test, this.against(url),
        own && el("button", { type: "button", class: "button quiet", "aria-label": `Remove ${url}`, on: { click: () => this.remove(url) } }, icon("close"), "Remove")),
      result);
  }

  /* ---- playing ---- */

  against(url) {
    const message = el("span", {});
    const select = el("select", { "aria-label": `Game to play against ${url}` }, el("option", { value: "" }, "Choose a game …"));
    const play = el("button", { type: "button", class: "button", on: { click: () => this.play(url, select.value, play, message) } }, icon("play"), "Play against it");
    this.fill(select);
    return [el("span", { class: "row" }, select, play), message];
  }

  async fill(select) {
    try {
      this.games ??= get("games");
      const { games } = await this.games;
      select.append(...games.filter((game) => game.roles.length > 1).map((game) => el("option", { value: game.name }, game.title)));
      select.value = select.options[1]?.value ?? "";
    } catch {
      this.games = null;
    }
  }

  async play(url, name, button, message) {
    clear(message);
    if (!name) {
      message.append(notice("Choose a game first."));
      return;
    }
    button.disabled = true;
    try {
      const { games } = await this.games;
      const game = games.find((one) => one.name === name);
      const players = game.roles.map((_, role) => (role === 0 ? "human" : url));
      await begin({ name, roles: game.roles }, { ...recall({ name: "", roles: game.roles }, this.about), players });
    } catch (error) {
      message.append(notice(error));
    }
    button.disabled = false;
  }

  /* ---- tests ---- */

  async test(url, button, result) {
    if (this.busy) {
      clear(result).append(notice("Another test is running. Wait until it is done."));
      return;
    }
    this.busy = true;
    button.disabled = true;
    clear(result).append(el("p", { class: "muted" }, `Asking ${url}. This takes some seconds …`));
    try {
      clear(result).append(...report(await post("ping", { url, quick: true })));
    } catch (error) {
      clear(result).append(el("p", { class: "notice bad" }, icon("warn"), el("span", {}, error.status === 503 ? `Nobody answers there. ${words(error)}` : words(error))));
    }
    this.busy = false;
    button.disabled = false;
  }
}

/* What is wrong first, then what is right, folded. */
function report({ passed, failed, skipped, noted, probes }) {
  const parts = [`${passed} right`, `${failed} wrong`, noted && `${noted} could be better`, skipped && `${skipped} not asked`].filter(Boolean);
  const wrong = probes.filter((probe) => probe.result !== "pass");
  const right = probes.filter((probe) => probe.result === "pass");
  return [
    el("p", { class: `players-verdict ${failed ? "bad" : "good"}` }, icon(failed ? "close" : "check"), failed ? "It does not keep to the protocol: " : "It keeps to the protocol: ", parts.join(", "), "."),
    wrong.length > 0 && el("ul", { class: "players-probes" }, wrong.map(probeNode)),
    right.length > 0 && el("details", {}, el("summary", {}, "What it does right"), el("ul", { class: "players-probes" }, right.map(probeNode))),
  ].filter(Boolean);
}

function probeNode(probe) {
  const kind = RESULTS[probe.result] ?? RESULTS.note;
  return el("li", {},
    el("p", { class: "row" }, el("span", { class: `badge ${kind.kind}` }, icon(kind.icon), kind.word), el("strong", {}, probe.probe), el("span", { class: "muted" }, `${probe.seconds.toFixed(2)} s`)),
    el("p", {}, probe.wants),
    probe.why && el("p", {}, el("strong", {}, "What was found: "), probe.why),
    probe.exchanges.length > 0 && el("details", {}, el("summary", {}, "What was said"), el("dl", { class: "facts" }, probe.exchanges.map(exchangeNodes))));
}

function exchangeNodes({ sent, received, seconds }) {
  return [el("dt", {}, "asked"), el("dd", {}, el("code", {}, sent || "nothing")), el("dt", {}, `answered after ${seconds.toFixed(3)} s`), el("dd", {}, el("code", {}, received || "nothing"))];
}

/* ---- addresses ---- */

/* "host:9147" is http://host:9147; null: it is none. */
function addressOf(text) {
  const given = text.trim();
  if (!given || /\s/.test(given)) return null;
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(given) ? given : `http://${given}`);
    if (url.protocol !== "http:" || !url.hostname) return null;
    return url.href.replace(/\/$/, "");
  } catch {
    return null;
  }
}

function readOwn() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(list) ? list.filter((url) => typeof url === "string") : [];
  } catch {
    return [];
  }
}

function writeOwn(list) {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    /* Then they are not remembered. */
  }
}
