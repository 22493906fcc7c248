/* A small menu at a place of a board: which of several moves is meant. */
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
    this.node = el("div", { class: "chooser", role: "menu", "aria-label": "Which move?",
      on: { keydown: (event) => this.key(event, items, handlers) } }, items);
    this.parent.append(this.node);
    this.put(face, place);
    items[0].focus({ preventScroll: true });
    announce(`Which move? ${items.length} choices.`);
  }

  close() {
    this.node?.remove();
    this.node = null;
  }

  /* Beside the place, within the board and the window. */
  put(face, place) {
    const [room, spot] = [this.parent.getBoundingClientRect(), face.hits[place].getBoundingClientRect()];
    const menu = this.node.getBoundingClientRect();
    const clamp = (x, most) => Math.max(0, Math.min(x, most));
    const left = clamp(spot.left + spot.width / 2 - menu.width / 2 - room.left, room.width - menu.width);
    const below = spot.bottom + 4 + menu.height <= innerHeight || spot.top - menu.height - 4 < 0;
    const top = below ? spot.bottom + 4 - room.top : spot.top - menu.height - 4 - room.top;
    this.node.style.setProperty("left", `${left}px`);
    this.node.style.setProperty("top", `${top}px`);
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
