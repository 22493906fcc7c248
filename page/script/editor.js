/* A text area for GDL with line numbers, colours and marks.

   The text area itself is transparent and lies upon a picture of the same text, line by
   line; both have the same font and padding, and the box around them scrolls. Only lines
   that have changed are drawn again, so that a line keeps its marks until it is edited
   or others are set.

   A mark is {severity, line, offset, length, message}; offset and length are those of the
   whole text, in UTF-16 units. Marks are also said in words, in a list beside the editor:
   the picture is hidden from screen readers. */

import { el } from "./dom.js";
import { tokens } from "./gdl.js";

export class Editor {
  /* label: of the text area; describedby: id of what says how it stands; onInput(text) */
  constructor({ label, describedby, onInput }) {
    this.lines = [];
    this.nodes = [];
    this.back = el("div", { class: "editor-back", "aria-hidden": "true" });
    this.area = el("textarea", {
      class: "editor-area", wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "aria-label": label, "aria-describedby": describedby,
      on: { input: () => this.changed(onInput) },
    });
    this.node = el("div", { class: "editor" }, el("div", { class: "editor-page" }, this.back, this.area));
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.draw();
  }

  changed(onInput) {
    this.draw();
    onInput(this.text);
  }

  /* Draws the lines between those that are as before at both ends. */
  draw() {
    const lines = this.text.split("\n");
    const most = Math.min(lines.length, this.lines.length);
    let from = 0;
    let same = 0;
    while (from < most && lines[from] === this.lines[from]) from += 1;
    while (same < most - from && lines.at(-1 - same) === this.lines.at(-1 - same)) same += 1;
    const made = lines.slice(from, lines.length - same).map((line) => drawLine(line, []));
    const old = this.nodes.splice(from, this.nodes.length - same - from, ...made);
    const next = this.nodes[from + made.length] ?? null;
    for (const node of old) node.remove();
    for (const node of made) this.back.insertBefore(node, next);
    this.lines = lines;
  }

  /* Replaces all marks. */
  mark(marks) {
    const byLine = new Map();
    let start = 0;
    const starts = this.lines.map((line) => {
      const at = start;
      start += line.length + 1;
      return at;
    });
    for (const { severity, line, offset, length } of marks) {
      const begin = starts[line - 1];
      if (begin === undefined) continue;
      const from = offset - begin;
      const list = byLine.get(line - 1) ?? [];
      list.push({ severity, from, to: from + Math.max(length, 1) });
      byLine.set(line - 1, list);
    }
    this.nodes.forEach((node, at) => {
      const list = byLine.get(at);
      if (!list && !node.classList.contains("marked")) return;
      const fresh = drawLine(this.lines[at], list ?? []);
      node.replaceWith(fresh);
      this.nodes[at] = fresh;
    });
  }

  /* Selects a place and brings it into view. */
  select(offset, length) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(offset, offset + length);
    const line = this.text.slice(0, offset).split("\n").length - 1;
    this.nodes[line]?.scrollIntoView({ block: "center", inline: "nearest" });
  }
}

/* A line with marks [{severity, from, to}], in units of the line. */
function drawLine(line, marks) {
  const worst = marks.some((mark) => mark.severity === "error") ? "error" : "warning";
  return el("span", { class: marks.length ? `gdl-line marked ${worst}` : "gdl-line" }, pieces(line, marks), "\n");
}

/* Tokens, cut where a mark begins or ends. */
function pieces(line, marks) {
  const cuts = [...new Set(marks.flatMap((mark) => [mark.from, mark.to]))].sort((a, b) => a - b);
  const nodes = [];
  let at = 0;
  for (const { kind, text } of tokens(line)) {
    const end = at + text.length;
    const places = [...cuts.filter((cut) => cut > at && cut < end), end];
    for (const place of places) {
      nodes.push(piece(kind, line.slice(at, place), marks.filter((mark) => mark.from <= at && at < mark.to)));
      at = place;
    }
  }
  return nodes;
}

function piece(kind, text, marks) {
  const classes = [`gdl-${kind}`];
  if (marks.length) classes.push(marks.some((mark) => mark.severity === "error") ? "wrong" : "doubtful");
  const plain = !marks.length && (kind === "name" || kind === "blank");
  return plain ? text : el("span", { class: classes.join(" ") }, text);
}
