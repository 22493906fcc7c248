/* One board as an SVG picture, made once and then changed place by place.

   From below: the ground (plates, cells, lines, labels), tints (places of the
   last move, places that are chosen), pieces, hints (dots where something can
   be clicked), heat, the ring around the place that has the focus, and on top
   the hits: invisible outlines of the places that take clicks and keys and
   speak to screen readers as a grid. Nodes of a place are made when they are
   first needed; `slots`, `tints` and `hints` hold them by place. */
import { svg, clear } from "./dom.js";
import { arrange, beside, bestAcross, placeName, circle } from "./layout.js";
import { drawGround, isDark } from "./ground.js";
import { drawPile } from "./pieces.js";
import { travel } from "./travel.js";
import { withTraits } from "./traits.js";

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const TILES = new Set(["number", "square", "letter", "wall"]);
const at = (place) => `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})`;

export class Face {
  /* Options: label, and quiet for a picture without places to click. */
  constructor(board, pieces, options = {}) {
    this.board = prepare(board, pieces);
    this.pieces = withTraits(pieces);
    this.options = options;
    this.cells = [];
    this.names = [];
    this.tinted = new Map();
    this.hinted = new Map();
    this.open = new Set();
    this.picture = options.quiet
      ? svg("svg", { class: "board-picture", "aria-hidden": "true", focusable: "false" })
      : svg("svg", { class: "board-picture", role: "grid", "aria-label": options.label });
    this.build(this.board.layers);
  }

  build(across) {
    const { board } = this;
    this.across = across;
    this.layout = arrange(board, across);
    const { width, height, span } = this.layout;
    const pad = 6;
    this.picture.setAttribute("viewBox", `${-pad} ${-pad} ${(width + 2 * pad).toFixed(1)} ${(height + 2 * pad).toFixed(1)}`);
    this.picture.style.setProperty("--board-span", span);
    this.picture.style.setProperty("--board-ratio", (width / height).toFixed(3));
    const layer = (name) => svg("g", { class: `board-${name}`, "aria-hidden": "true" });
    this.layers = { ground: drawGround(board, this.layout) };
    for (const name of ["tints", "slots", "hints", "heat", "focus"]) this.layers[name] = layer(name);
    this.slots = [];
    this.tints = [];
    this.hints = [];
    clear(this.picture).append(...Object.values(this.layers));
    if (!this.options.quiet) this.buildHits();
  }

  buildHits() {
    const places = this.layout.places;
    this.hits = [];
    this.spoken = [];
    this.opened = [];
    this.ring = svg("path", { class: "board-ring" });
    const hit = (n) => {
      this.hits[n] = svg("path", { class: "board-hit", d: places[n].d, transform: at(places[n]), role: "gridcell",
        tabindex: "-1", "data-place": n });
      return this.hits[n];
    };
    const rows = this.layout.rows.map((row) => svg("g", { role: "row" }, row.map(hit)));
    this.picture.append(svg("g", { class: "board-hits", role: "presentation" }, rows));
    this.setCurrent(this.current != null && this.hits[this.current] ? this.current : this.layout.rows[0]?.[0]);
    this.speak();
  }

  /* Arranges layers anew when the room has changed. */
  fit(width, height) {
    const across = bestAcross(this.board, width, height);
    if (across === this.across || !width) return;
    const focused = this.picture.contains(document.activeElement);
    this.build(across);
    const cells = this.cells;
    this.cells = [];
    this.show(cells, false);
    if (focused) this.focus();
    this.tint(this.tinted);
    if (!this.options.quiet) this.hint(this.hinted);
    this.heat(this.heated ?? []);
  }

  name(n) {
    return this.names[n] ??= placeName(this.board, n);
  }

  /* The pieces of a place, lowest first. */
  on(n, cells = this.cells) {
    const content = cells[n] ?? 0;
    const list = Array.isArray(content) ? content : [content];
    return list.filter((value) => value > 0).map((value) => this.pieces[value - 1]).filter((piece) => piece && piece.shape !== "none");
  }

  empty(n) {
    return this.on(n).length === 0;
  }

  contents(n, cells = this.cells) {
    return this.on(n, cells).map((piece) => piece.name).join(" and ") || "empty";
  }

  show(cells, animated) {
    if (this.board.checkered && this.swapped == null && cells.length) this.shadeBy(cells);
    const before = this.cells;
    const changed = [];
    for (const place of this.layout.places) {
      if (place && key(before[place.number]) !== key(cells[place.number])) changed.push(place.number);
    }
    this.cells = cells;
    for (const n of changed) this.drawSlot(n);
    if (animated && changed.length && !still()) travel(this, before, changed);
    if (!this.options.quiet) for (const n of changed) this.speakPlace(n);
    return changed;
  }

  /* Where pieces stand on one shade only, that is the dark one, as in draughts. */
  shadeBy(cells) {
    const full = this.layout.places.filter((place) => place && this.on(place.number, cells).length);
    this.swapped = full.length > 3 && full.every((place) => !isDark(this.board, place));
    if (!this.swapped) return;
    this.board.swapped = true;
    this.build(this.across);
  }

  drawSlot(n) {
    const place = this.layout.places[n];
    const nodes = drawPile(this.on(n), place, this.board);
    if (!this.slots[n]) {
      if (!nodes.length) return;
      this.slots[n] = svg("g", { class: "board-slot", transform: at(place), "data-slot": n });
      this.layers.slots.append(this.slots[n]);
    }
    clear(this.slots[n]).append(...nodes);
  }

  /* Tints: Map of place -> class names, drawn below the pieces. */
  tint(map) {
    this.tinted = map;
    this.dress(this.tints, map, this.layers.tints, (n) => svg("path", { d: this.layout.places[n].spot }));
  }

  /* Hints: Map of place -> "can", "dot", "take" or "ghost", drawn above the
     pieces. `open` are all places that can be chosen, after others if `going`. */
  hint(map, open = this.open, going = this.going) {
    [this.hinted, this.open, this.going] = [map, open, going];
    this.dress(this.hints, map, this.layers.hints, () => svg("path", {}));
    for (const [n, kind] of map) if (this.layout.places[n]) this.sizeHint(n, kind);
    for (const place of this.layout.places) if (place) this.openPlace(place.number, open.has(place.number));
    this.picture.classList.toggle("is-offered", open.size > 0);
    this.speak();
  }

  /* What can be dragged is no handle to scroll the page by. */
  openPlace(n, open) {
    const look = open ? `board-hit is-open${this.empty(n) ? "" : " is-grab"}` : "board-hit";
    if ((this.opened[n] ?? "board-hit") === look) return;
    this.opened[n] = look;
    this.hits[n].setAttribute("class", look);
  }

  /* Dots for empty places; what lies on others has the hint around it, things
     that are long have it beside them. */
  sizeHint(n, kind) {
    const node = this.hints[n];
    const place = this.layout.places[n];
    const { size, w, h } = place;
    const [wide, high] = [w > 1.2 * size, h > 1.2 * size && this.board.shape !== "hex"];
    const small = kind === "dot" || this.empty(n) || wide || high;
    const tile = !small && this.on(n).some((piece) => TILES.has(piece.shape));
    const look = `${kind} ${small} ${tile}`;
    if (node.size === look) return;
    node.size = look;
    const r = kind === "ghost" ? 0.38 : small ? (kind === "can" ? 0.09 : 0.15) : kind === "can" ? 0.46 : 0.44;
    node.setAttribute("d", tile ? place.spot : circle(Math.max(size * r, 8)));
    node.classList.toggle("is-small", small && kind !== "ghost");
    const tower = this.board.shape === "tower";
    const dx = wide && !tower ? 16 - w / 2 : 0;
    const dy = tower && !this.empty(n) ? -h / 2 - 14 : high ? 16 - h / 2 : 0;
    node.setAttribute("transform", `translate(${(place.x + dx).toFixed(1)} ${(place.y + dy).toFixed(1)})${tile ? " scale(0.95)" : ""}`);
  }

  dress(nodes, map, layer, make) {
    nodes.forEach((node, n) => {
      if (!map.has(n)) {
        node.remove();
        delete nodes[n];
      }
    });
    for (const [n, names] of map) {
      const place = this.layout.places[n];
      if (!place) continue;
      if (!nodes[n]) {
        nodes[n] = make(n);
        nodes[n].setAttribute("transform", at(place));
        layer.append(nodes[n]);
      }
      const look = `is-${names.replace(" ", " is-")}`;
      if (nodes[n].look !== look) {
        nodes[n].setAttribute("class", look);
        nodes[n].look = look;
      }
    }
  }

  /* Heat: [{place, from, weight, text}], the best first. */
  heat(list) {
    this.heated = list;
    const layer = clear(this.layers.heat);
    list.forEach(({ place: n, from, weight, text }, rank) => {
      const place = this.layout.places[n];
      if (!place) return;
      const strength = Math.max(0, Math.min(1, weight));
      const patch = svg("path", { d: place.spot, class: "heat-patch", opacity: (0.12 + 0.6 * strength).toFixed(2) });
      const size = Math.max(20, place.size * 0.24);
      const low = place.spot === place.d && this.board.shape !== "hex" ? place.h / 2 - size * 0.32 : place.size * 0.34;
      layer.append(svg("g", { transform: at(place), class: "heat-place", "data-heat": n }, patch,
        text && svg("text", { class: "heat-text", "text-anchor": "middle", "font-size": size, y: low.toFixed(1) }, text)));
      if (from != null && rank < 3 && this.layout.places[from]) layer.prepend(this.arrow(this.layout.places[from], place, strength));
    });
  }

  arrow(from, to, strength) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const end = Math.hypot(dx, dy) - to.size * 0.24;
    return svg("path", { d: `M18 0H${end}M${end - 16}-14L${end} 0L${end - 16} 14`, class: "heat-arrow", opacity: (0.3 + 0.6 * strength).toFixed(2),
      transform: `translate(${from.x} ${from.y}) rotate(${Math.atan2(dy, dx) * 180 / Math.PI})` });
  }

  /* What a screen reader says of the places. */
  speak() {
    if (!this.options.quiet) for (const place of this.layout.places) if (place) this.speakPlace(place.number);
  }

  speakPlace(n) {
    const chosen = (this.tinted.get(n) ?? "").includes("chosen");
    const can = this.going ? ", can go here" : this.empty(n) ? ", can be chosen" : ", can move";
    const more = chosen ? ", chosen" : this.open.has(n) ? can : "";
    const text = `${this.name(n)}, ${this.contents(n)}${more}`;
    if (this.spoken[n] === text) return;
    this.spoken[n] = text;
    this.hits[n].setAttribute("aria-label", text);
  }

  /* The place that the Tab key leads to. */
  setCurrent(n) {
    if (n == null) return;
    this.hits[this.current]?.setAttribute("tabindex", "-1");
    this.current = n;
    this.hits[n].setAttribute("tabindex", "0");
  }

  focus(n = this.current) {
    this.setCurrent(n);
    this.hits[n]?.focus();
  }

  showRing(n) {
    const place = this.layout.places[n];
    clear(this.layers.focus);
    if (!place) return;
    this.ring.setAttribute("d", place.d);
    this.ring.setAttribute("transform", at(place));
    this.layers.focus.append(this.ring);
  }

  step(n, dx, dy) {
    return beside(this.layout, n, dx, dy);
  }

  /* Which of several places that mean the same shows it: where a piece comes to
     lie, the top of a pile, or the middle. */
  handle(list, going) {
    if (this.board.style === "holes") return this.landing(list);
    if (this.board.shape !== "tower") return list[Math.floor(list.length / 2)];
    const full = list.filter((n) => !this.empty(n)).sort((a, b) => this.layout.places[a].y - this.layout.places[b].y);
    return going || !full.length ? this.landing(list) : full[0];
  }

  /* Where a disc dropped into these places comes to lie. */
  landing(list) {
    const free = list.filter((n) => this.layout.places[n] && this.empty(n));
    const low = free.sort((a, b) => this.layout.places[b].y - this.layout.places[a].y);
    return low.length ? low[0] : list[list.length - 1];
  }
}

const key = (content) => Array.isArray(content) ? content.join(" ") : String(content ?? 0);

/* The board with what the drawing needs to know of its pieces. */
function prepare(board, pieces) {
  const values = pieces.filter((piece) => piece.shape === "bar").map((piece) => Number(piece.value) || 0);
  const piled = board.shape === "row" && values.length > 0 && !["heaps", "stack"].includes(board.style);
  const order = new Set(values).size === board.columns && Math.min(...values) === 1 && Math.max(...values) === board.columns;
  return { ...board, layers: board.layers || 1, columns: board.columns || 1, rows: board.rows || 1,
    style: piled ? (order ? "stack" : "heaps") : board.style, bars: values.length > 0, most: Math.max(0, ...values) };
}
