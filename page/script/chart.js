/* Expected goals over the moves: one line for each role, told apart by colour, dash and
   marker, with its name at the end of the line.

   The chart is a slider of steps: arrow keys and clicks choose one. Drawing is cheap, so
   that it can follow a search ten times a second: nodes are made once, and an update
   sets the paths that changed. A table says the same in text; it is filled only while
   it is open. */

import { el, svg, clear } from "./dom.js";
import { number } from "./match/words.js";

const HEIGHT = 160;
const EDGE = { left: 34, right: 12, top: 12, bottom: 24 };
const DASHES = ["none", "7 4", "2 3", "9 3 2 3", "4 4", "12 4"];
const LABEL_WIDTH = 7.6; /* of a letter, about */
const LONGEST = 14; /* letters of a name at a line */
const MARKS = ["disc", "square", "triangle", "diamond", "cross", "ring"];

const outlines = {
  disc: (x, y, s) => `M${x - s} ${y}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`,
  square: (x, y, s) => `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`,
  triangle: (x, y, s) => `M${x} ${y - 1.2 * s}l${1.2 * s} ${2.2 * s}h${-2.4 * s}z`,
  diamond: (x, y, s) => `M${x} ${y - 1.4 * s}l${1.4 * s} ${1.4 * s}l${-1.4 * s} ${1.4 * s}l${-1.4 * s} ${-1.4 * s}z`,
  cross: (x, y, s) => `M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`,
  ring: (x, y, s) => outlines.disc(x, y, s) + outlines.disc(x, y, s * 0.45),
};

/* The sign of a role, as in the chart: a path in a box of 12. */
export function roleMark(role) {
  const shape = MARKS[role % MARKS.length];
  return svg(
    "svg",
    { class: `role-mark role-${role % 6}`, viewBox: "0 0 12 12", width: 12, height: 12, "aria-hidden": "true" },
    svg("path", { class: `mark mark-${shape}`, d: outlines[shape](6, 6, 4) }),
  );
}

function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export class GoalChart {
  /* choose(step) is called for the step that was asked for. */
  constructor({ choose }) {
    this.choose = choose;
    this.width = 320;
    this.data = { names: [], points: [], total: 0, at: 0 };
    this.lines = [];
    this.hover = null;
    this.grid = svg("g", { class: "chart-grid" });
    this.cursor = svg("line", { class: "chart-cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom });
    this.plot = svg("g", {});
    this.picture = svg(
      "svg",
      {
        class: "chart-picture",
        height: HEIGHT,
        role: "slider",
        tabindex: 0,
        "aria-label": "Expected points over the moves",
        "aria-valuemin": 0,
        on: {
          keydown: (event) => this.key(event),
          pointermove: (event) => this.point(this.stepAt(event)),
          pointerleave: () => this.point(null),
          click: (event) => this.choose(this.stepAt(event)),
        },
      },
      this.grid,
      this.cursor,
      this.plot,
    );
    this.readout = el("p", { class: "chart-readout" });
    this.table = el("table", { class: "chart-table" });
    this.details = el(
      "details",
      { class: "chart-details", on: { toggle: () => this.fillTable() } },
      el("summary", {}, "The same as a table"),
      el("div", { class: "chart-scroll", tabindex: 0, role: "region", "aria-label": "Expected points" }, this.table),
    );
    this.node = el("figure", { class: "chart" }, this.picture, this.readout, this.details);
    this.observer = new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (!width || width === this.width) return;
      this.width = width;
      this.draw();
    });
    this.observer.observe(this.node);
  }

  /* names by role; points: [{step, values by role}]; total: the last step; at: the step
     that is shown. */
  show(data) {
    if (data.names.length !== this.lines.length) this.makeLines(data.names);
    this.data = data;
    this.draw();
  }

  destroy() {
    this.observer.disconnect();
  }

  makeLines(names) {
    clear(this.plot);
    this.lines = names.map((name, role) => {
      const shape = MARKS[role % MARKS.length];
      const line = svg("path", { class: "chart-line", "stroke-dasharray": DASHES[role % DASHES.length] });
      const marks = svg("path", { class: `mark mark-${shape}` });
      const label = svg("text", { class: "chart-label" }, name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name);
      this.plot.append(svg("g", { class: `role-${role % 6}` }, line, marks, label));
      return { line, marks, label, shape };
    });
  }

  x(step) {
    const room = this.width - EDGE.left - this.right;
    return EDGE.left + (room * step) / Math.max(1, this.data.total);
  }

  y(value) {
    return HEIGHT - EDGE.bottom - ((HEIGHT - EDGE.top - EDGE.bottom) * value) / 100;
  }

  draw() {
    const { names, total, at } = this.data;
    const longest = Math.min(LONGEST, Math.max(0, ...names.map((name) => name.length)));
    this.right = EDGE.right + 10 + longest * LABEL_WIDTH;
    set(this.picture, "viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.drawGrid();
    this.lines.forEach((_, role) => this.drawLine(role));
    this.spreadLabels();
    const cursor = this.x(this.hover ?? at).toFixed(1);
    set(this.cursor, "x1", cursor);
    set(this.cursor, "x2", cursor);
    set(this.picture, "aria-valuemax", total);
    set(this.picture, "aria-valuenow", at);
    set(this.picture, "aria-valuetext", this.says(at));
    const says = this.says(this.hover ?? at);
    if (this.readout.textContent !== says) this.readout.textContent = says;
    if (this.details.open) this.fillTable();
  }

  drawGrid() {
    const key = `${this.width} ${this.right} ${this.data.total}`;
    if (key === this.gridKey) return;
    this.gridKey = key;
    clear(this.grid);
    const end = this.width - this.right;
    for (const value of [0, 25, 50, 75, 100]) {
      const y = this.y(value);
      this.grid.append(svg("line", { x1: EDGE.left, x2: end, y1: y, y2: y }));
      if (value % 50 === 0) this.grid.append(svg("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, String(value)));
    }
    for (const step of ticks(this.data.total))
      this.grid.append(svg("text", { x: this.x(step), y: HEIGHT - 6, "text-anchor": "middle" }, String(step)));
  }

  drawLine(role) {
    const { line, marks, shape } = this.lines[role];
    const known = this.data.points.filter(({ values }) => values[role] !== null);
    const places = known.map(({ step, values }) => [this.x(step), this.y(values[role])]);
    const text = places.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    set(line, "d", text || "M0 0");
    const few = places.length <= 40 ? places : places.slice(-1);
    set(marks, "d", few.map(([x, y]) => outlines[shape](round(x), round(y), 3)).join("") || "M0 0");
    this.lines[role].end = places.at(-1) ?? null;
  }

  /* Names stand at the ends of the lines, at least a line of text apart. */
  spreadLabels() {
    const ends = this.lines.filter(({ end }) => end).sort((a, b) => a.end[1] - b.end[1]);
    let above = -Infinity;
    const spots = ends.map(({ end }) => (above = Math.max(end[1] + 4, above + 14)));
    const over = Math.max(0, (spots.at(-1) ?? 0) - (HEIGHT - EDGE.bottom + 4));
    ends.forEach(({ label, end }, i) => {
      set(label, "x", (end[0] + 9).toFixed(1));
      set(label, "y", (spots[i] - over).toFixed(1));
      set(label, "visibility", "visible");
    });
    for (const { label, end } of this.lines) if (!end) set(label, "visibility", "hidden");
  }

  says(step) {
    const { names, points, total } = this.data;
    const here = points.findLast((point) => point.step <= step);
    const place = step === 0 ? "At the beginning" : `After ${step} of ${total} moves`;
    if (!here) return `${place}: nothing is known yet.`;
    const parts = names.flatMap((name, role) => (here.values[role] === null ? [] : [`${name} ${number(here.values[role], 1)}`]));
    const when = here.step === step ? place : `${place} (thought after ${here.step})`;
    return `${when}: ${parts.join(", ")}.`;
  }

  fillTable() {
    if (!this.details.open) return;
    const { names, points } = this.data;
    clear(this.table);
    const head = ["Moves", ...names].map((name) => el("th", { scope: "col" }, name));
    const rows = points.map(({ step, values }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, String(step)),
        values.map((value) => el("td", {}, value === null ? "–" : number(value, 1))),
      ),
    );
    this.table.append(el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  }

  stepAt(event) {
    const box = this.picture.getBoundingClientRect();
    const room = this.width - EDGE.left - this.right;
    const x = ((event.clientX - box.left) * this.width) / box.width - EDGE.left;
    const step = Math.round((x / room) * Math.max(1, this.data.total));
    return Math.min(this.data.total, Math.max(0, step));
  }

  point(step) {
    if (step === this.hover) return;
    this.hover = step;
    this.draw();
  }

  key(event) {
    const { at, total } = this.data;
    const steps = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: total };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(Math.min(total, Math.max(0, step)));
  }
}

function round(value) {
  return Math.round(value * 10) / 10;
}

/* At most about eight round numbers from 0 to the end. */
function ticks(total) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => total / size <= 8) ?? 5000;
  const all = [];
  for (let n = 0; n <= total; n += step) all.push(n);
  return all;
}
