/* The matches that are running now, for the screen Home: asked for again and again while
   the window is seen. */

import { el } from "../dom.js";
import { get } from "../api.js";

const EVERY = 4000;

/* -> {node, close}. The section is hidden while there is none. */
export function running() {
  const list = el("ul", { class: "running-list" });
  const node = el("section", { class: "running", hidden: true, "aria-labelledby": "running-heading" },
    el("h2", { id: "running-heading" }, "Being played now"), list);
  let timer = 0;
  let closed = false;
  let drawn = "";

  async function ask() {
    try {
      if (!document.hidden) put((await get("matches")).matches);
    } catch {
      /* The banner says that the server is gone. */
    }
    if (!closed) timer = setTimeout(ask, EVERY);
  }

  /* Links that did not change stay the same nodes, so that they keep the focus. */
  function put(matches) {
    const live = matches.filter((match) => match.phase !== "over" && match.phase !== "failed");
    const now = JSON.stringify(live.map((match) => [match.id, match.step, match.phase, match.watchers]));
    if (closed || now === drawn) return;
    drawn = now;
    node.hidden = live.length === 0;
    const old = new Map([...list.children].map((item) => [item.firstChild.getAttribute("href"), item]));
    list.replaceChildren(...live.map((match) => refresh(old.get(address(match)) ?? entry(match), match)));
  }

  ask();
  return {
    node,
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

const address = (match) => `#/match/${encodeURIComponent(match.id)}`;

function entry(match) {
  return el("li", {}, el("a", { class: "running-link panel", href: address(match) },
    el("strong", {}, match.title), el("span", {}, match.roles.map((role) => role.label).join(" against ")), el("small", { class: "muted" })));
}

function refresh(item, match) {
  item.querySelector("small").textContent = words(match);
  return item;
}

function words(match) {
  const where = match.phase === "playing" ? (match.step === 0 ? "first move" : `${match.step} moves made`) : "about to begin";
  const others = match.watchers === 1 ? ", one looks on" : match.watchers > 1 ? `, ${match.watchers} look on` : "";
  return where + others;
}
