/* The panel "What is it thinking?": the chart of expected goals, the moves a search looks
   at, the switch of the heat map. While it is closed nothing of it is drawn. Whether it is
   open, and the switch, are remembered (localStorage "tafl-insight"). */

import { el, clear, icon } from "../dom.js";
import { GoalChart } from "../chart.js";
import { ThoughtView } from "../thought.js";
import { expectations, last, thoughtsAt } from "./model.js";

const KEY = "tafl-insight";

export class Insight {
  /* choose(step), preview(move or null), changed(): the heat map may have to change */
  constructor({ choose, preview, changed }) {
    const kept = recall();
    this.open = kept.open;
    this.heat = kept.heat;
    this.role = null;
    this.changed = changed;
    this.chart = new GoalChart({ choose });
    this.thought = new ThoughtView({ preview });
    this.tabs = el("div", { class: "insight-tabs row", role: "group", "aria-label": "Whose thoughts" });
    this.when = el("p", { class: "muted insight-when" });
    this.heatBox = el("input", { type: "checkbox", checked: this.heat, on: { change: () => this.setHeat(this.heatBox.checked) } });
    this.button = el("button", { type: "button", class: "button insight-button", "aria-expanded": String(this.open), "aria-controls": "insight", on: { click: () => this.setOpen(!this.open) } },
      icon("eye"), "What is it thinking?");
    this.body = el("div", { class: "insight-body", id: "insight", hidden: !this.open },
      el("h3", {}, "Expected points"), this.chart.node,
      el("h3", {}, "Best moves"), this.tabs, this.when,
      el("label", { class: "insight-heat" }, this.heatBox, "Show them on the board"),
      this.thought.node);
    this.node = el("section", { class: "panel insight", "aria-label": "What is it thinking?" }, this.button, this.body);
  }

  setOpen(open) {
    this.open = open;
    this.body.hidden = !open;
    this.button.setAttribute("aria-expanded", open);
    keep(this);
    this.changed();
  }

  setHeat(heat) {
    this.heat = heat;
    keep(this);
    this.changed();
  }

  /* What is worth showing in state n: what was thought there, or before the last move if
     nobody has thought since. */
  thoughtFor(match, n) {
    const here = thoughtsAt(match, n);
    const list = here.length || n !== last(match) || n === 0 ? here : thoughtsAt(match, n - 1);
    return { list, thought: list.find((thought) => thought.role === this.role) ?? list[0] ?? null };
  }

  /* The thought whose moves belong on the board in state n. */
  heatFor(match, n) {
    if (!this.open || !this.heat) return null;
    const { thought } = this.thoughtFor(match, n);
    return thought?.step === n ? thought : null;
  }

  show(match, n, me) {
    this.node.hidden = match.head.roles.length === me.length && !match.steps.some((_, i) => thoughtsAt(match, i).length);
    if (!this.open || this.node.hidden) return;
    const names = match.head.roles.map((role) => role.name);
    this.chart.show({ names, points: expectations(match), total: last(match), at: n });
    const { list, thought } = this.thoughtFor(match, n);
    this.showTabs(list, thought, names);
    const when = thought && thought.step !== n ? "Before the last move:" : "";
    if (this.when.textContent !== when) this.when.textContent = when;
    this.thought.show(thought, match, me);
  }

  showTabs(list, thought, names) {
    const key = list.map(({ role }) => role).join(" ");
    this.tabs.hidden = list.length < 2;
    if (key !== this.key) {
      this.key = key;
      clear(this.tabs).append(...list.map(({ role }) => this.tab(role, names[role])));
    }
    for (const tab of this.tabs.children) tab.setAttribute("aria-pressed", Number(tab.dataset.role) === thought?.role);
  }

  tab(role, name) {
    const click = () => {
      this.role = role;
      this.changed();
    };
    return el("button", { type: "button", class: "button", "data-role": role, on: { click } }, name);
  }

  destroy() {
    this.chart.destroy();
  }
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return { open: kept?.open === true, heat: kept?.heat !== false };
  } catch {
    return { open: false, heat: true };
  }
}

function keep({ open, heat }) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ open, heat }));
  } catch {
    /* Then it is not remembered. */
  }
}
