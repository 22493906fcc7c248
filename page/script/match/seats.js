/* Who plays what: one line for each role with its sign, its player, what it is doing and,
   at the end, its goal. Roles of several persons are also buttons: whose choice the board
   asks for. A choice that was made is said to be made, not what it is. */

import { el } from "../dom.js";
import { roleMark } from "../chart.js";
import { goalsOf } from "./model.js";
import { labelOf } from "./words.js";

export class Seats {
  /* choose(role) */
  constructor({ choose }) {
    this.choose = choose;
    this.list = el("ul", { class: "seats", "aria-label": "Players" });
    this.node = this.list;
    this.seats = [];
  }

  make(roles) {
    this.seats = roles.map((role, r) => {
      const state = el("span", { class: "seat-state" });
      const who = el("span", { class: "seat-who" });
      const button = el("button", { type: "button", class: "button seat-button", "aria-pressed": "false", hidden: true, on: { click: () => this.choose(r) } }, `Choose for ${role.name}`);
      const node = el("li", { class: "seat" }, roleMark(r), el("span", { class: "seat-name" }, role.name), who, state, button);
      return { node, who, state, button };
    });
    this.list.replaceChildren(...this.seats.map(({ node }) => node));
  }

  /* role: whose choice the board asks for; several: there is a choice between persons. */
  show(match, me, role, several) {
    const { roles } = match.head;
    if (this.seats.length !== roles.length) this.make(roles);
    const goals = goalsOf(match);
    this.seats.forEach(({ node, who, state, button }, r) => {
      put(who, me.includes(r) ? "You" : labelOf(roles[r]));
      put(state, goals ? `${goals[r]} points` : doing(match, r));
      node.classList.toggle("seat-now", !goals && (match.turn.thinking.includes(r) || match.turn.asked.includes(r)));
      button.hidden = !several.includes(r);
      button.setAttribute("aria-pressed", r === role);
    });
  }
}

function doing({ turn }, r) {
  if (turn.phase !== "playing") return "";
  if (turn.chosen[r]) return "has chosen";
  if (turn.asked.includes(r)) return "to move";
  return turn.thinking.includes(r) ? "thinking" : "";
}

function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
