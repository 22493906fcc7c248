/* The boards of a game: any scene of the interface (docs/api.md, "Scenes").

   A BoardView shows states, offers moves to choose on the boards, marks the
   last moves and lays a heat map over them. Games without a board are shown as
   tables of facts, with the same methods, so that callers need not care. */
import { el, clear } from "./dom.js";
import { Face } from "./face.js";
import { FactTable } from "./facts.js";
import { Input } from "./input.js";

const list = (element) => Array.isArray(element) ? element : [element];

export class BoardView {
  constructor(scene, { label = "Board" } = {}) {
    const boards = scene?.boards ?? [];
    this.node = el("div", { class: "board-view" });
    this.faces = boards.map((board, i) => new Face(board, scene.pieces, { label: boards.length > 1 ? `${label}, ${board.name ?? i + 1}` : label }));
    this.marked = boards.map(() => new Map());
    this.picked = boards.map(() => new Map());
    if (!boards.length) {
      this.table = new FactTable({ label });
      this.node.append(this.table.node);
      return;
    }
    this.legend = el("ul", { class: "visually-hidden", "aria-label": "What the search thinks of the places", hidden: true });
    this.node.append(...this.faces.map((face) => face.picture), this.legend);
    this.input = new Input(this.node, this.faces, (board, tints) => {
      this.picked[board] = tints;
      this.paint(board);
    });
    this.observe();
  }

  /* Boards of several layers are arranged by the room there is. */
  observe() {
    if (!this.faces.some((face) => face.board.layers > 1)) return;
    this.observer = new ResizeObserver(([entry]) => {
      for (const face of this.faces) face.fit(entry.contentRect.width, Math.min(innerHeight, 1200) * 0.78);
    });
    this.observer.observe(this.node);
  }

  show(state) {
    if (this.table) this.table.show(state?.facts ?? []);
    this.faces.forEach((face, i) => face.show(state?.cells?.[i] ?? [], this.state != null));
    this.state = state;
    this.changed = this.faces.map((face, i) => state?.changed?.[i] ?? []);
    this.faces.forEach((face, i) => this.paint(i));
    this.input?.refresh();
  }

  offer(moves, choose) {
    this.input?.offer(moves, choose);
  }

  /* The last moves: where they began and where they ended. */
  mark(moves) {
    this.marked = this.faces.map(() => new Map());
    for (const move of moves ?? []) {
      if (move?.board == null || !this.faces[move.board] || !move.path?.length) continue;
      const map = this.marked[move.board];
      move.path.forEach((element, i) => {
        const place = this.meant(move.board, element);
        if (place != null) map.set(place, i === move.path.length - 1 ? "to" : "from");
      });
    }
    this.faces.forEach((face, i) => this.paint(i));
  }

  /* Of several places that would do: the one that changed. */
  meant(board, element) {
    const places = list(element);
    if (places.length === 1) return places[0];
    return places.find((n) => this.changed?.[board]?.includes(n)) ?? null;
  }

  paint(board) {
    const tints = new Map();
    for (const n of this.changed?.[board] ?? []) tints.set(n, "changed");
    for (const [n, name] of this.marked[board]) tints.set(n, name);
    if (this.faces[board].board.shape === "tower") for (const n of tints.keys()) if (this.faces[board].empty(n)) tints.delete(n);
    for (const [n, name] of this.picked[board]) tints.set(n, tints.has(n) ? `${tints.get(n)} ${name}` : name);
    this.faces[board].tint(tints);
  }

  /* [{path, board, weight, text}] or null. Of moves to the same place the
     heaviest counts. */
  heat(moves) {
    if (!this.faces.length) return;
    const best = this.faces.map(() => new Map());
    for (const { path, board, weight, text } of moves ?? []) {
      if (board == null || !this.faces[board] || !path?.length) continue;
      const face = this.faces[board];
      const last = list(path.at(-1));
      const place = last.length === 1 ? last[0] : face.landing(last);
      const from = path.length > 1 ? list(path[0])[0] : null;
      const known = best[board].get(place);
      if (!known || known.weight < weight) best[board].set(place, { place, from, weight, text });
    }
    this.legend.hidden = !moves?.length;
    clear(this.legend);
    this.faces.forEach((face, i) => {
      const hot = [...best[i].values()].sort((a, b) => b.weight - a.weight);
      face.heat(hot);
      this.legend.append(...hot.slice(0, 10).map((entry) => el("li", {},
        `${entry.from == null ? "" : `${face.name(entry.from)} to `}${face.name(entry.place)}: ${entry.text ?? Math.round(entry.weight * 100)}`)));
    });
  }

  /* What happened, in words: the moves, and what lies on the places that changed. */
  describe(state, moves) {
    const said = (moves ?? []).filter((move) => move?.say && move.say !== "noop").map((move) => move.say);
    const changes = this.faces.flatMap((face, i) => (state?.changed?.[i] ?? []).map((n) => `${face.name(n)} ${face.contents(n, state.cells[i])}`));
    const told = changes.length > 8 ? [`${changes.length} places changed`] : changes;
    return [said.join("; "), told.join(", ")].filter(Boolean).map((text) => `${text}.`).join(" ");
  }

  destroy() {
    this.observer?.disconnect();
    this.input?.destroy();
    this.node.remove();
  }
}

/* A small still picture of a state. */
export function thumbnail(scene, state) {
  const node = el("div", { class: "board-thumbnail", "aria-hidden": "true" });
  const boards = scene?.boards ?? [];
  if (!boards.length) {
    node.classList.add("is-facts");
    const facts = (state?.facts ?? []).slice(0, 7);
    node.append(...facts.map((text) => el("span", {}, text)));
    return node;
  }
  boards.slice(0, 2).forEach((board, i) => {
    const face = new Face({ ...board, x: null, y: null }, scene.pieces, { quiet: true });
    face.fit(100, 100);
    face.show(state?.cells?.[i] ?? [], false);
    node.append(face.picture);
  });
  return node;
}
