/* A small menu at a place of a board, above everything else: which of several
   moves is meant. */
import { el, announce } from "./dom.js";

export class Chooser {
  constructor(node) {
    this.parent = node;
    this.node = null;
  }

  /* handlers: pick(move), leave(), and more() if the move may also go on. */
  open(face, place, moves, handlers) {
    this.close();
    const item = (text, act) => el("button", { type: "button", role: "menuitem", tabindex: "-1", class: "chooser-item", on: { click: act } }, text);
    const items = moves.map((move) => item(move.say, () => handlers.pick(move)));
    if (handlers.more) {
      items.push(item("Go on …", () => {
        this.close();
        handlers.more();
      }));
    }
    this.node = el("div", { class: "chooser", role: "menu", "aria-label": "Which move?", popover: "manual",
      on: { keydown: (event) => this.key(event, items, handlers) } }, items);
    this.parent.append(this.node);
    this.node.showPopover();
    this.put(face, place);
    addEventListener("scroll", this.away = () => this.put(face, place), true);
    items[0].focus({ preventScroll: true });
    announce(`Which move? ${items.length} choices.`);
  }

  close() {
    this.node?.remove();
    this.node = null;
    removeEventListener("scroll", this.away, true);
  }

  /* Beside the place, within the window. */
  put(face, place) {
    const spot = face.hits[place].getBoundingClientRect();
    const menu = this.node.getBoundingClientRect();
    const left = Math.max(0, Math.min(spot.left + spot.width / 2 - menu.width / 2, innerWidth - menu.width));
    const below = spot.bottom + 4 + menu.height <= innerHeight || spot.top - menu.height - 4 < 0;
    this.node.style.setProperty("left", `${left}px`);
    this.node.style.setProperty("top", `${below ? spot.bottom + 4 : spot.top - menu.height - 4}px`);
  }

  key(event, items, handlers) {
    const now = items.indexOf(document.activeElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1 + items.length, ArrowRight: now + 1, ArrowLeft: now - 1 + items.length, Home: 0,
      End: items.length - 1 }[event.key];
    if (to != null) items[to % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") handlers.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
