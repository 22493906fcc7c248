/* Choosing one of the offered moves on the boards, by clicks, drags or keys.

   `path` holds the places chosen so far, all on board `board`. A move fits if
   its path begins like that; an element of a move's path is a place or a list
   of places of which any will do. What fits and goes on says which places come
   next; what fits and is over can be played. If all moves begin at the same
   place, that one is taken as chosen (`base` places of the path). */
import { announce } from "./dom.js";
import { Chooser } from "./chooser.js";

const SLACK = 6;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const options = (element) => Array.isArray(element) ? element : [element];
const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;

export class Input {
  constructor(node, faces, tint) {
    this.faces = faces;
    this.tint = tint;
    this.chooser = new Chooser(node);
    this.moves = [];
    this.reset();
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    faces.forEach((face, board) => this.listen(face, board, signal));
    this.listenFocus(node, signal);
    document.addEventListener("pointerdown", (event) => {
      if (!node.contains(event.target)) this.cancel();
    }, { signal });
  }

  destroy() {
    this.listeners.abort();
    this.chooser.close();
  }

  offer(moves, choose) {
    this.chooser.close();
    this.moves = (moves ?? []).filter((move) => move.board != null && move.path?.length && this.faces[move.board]);
    this.choose = choose;
    this.reset();
    this.refresh();
  }

  reset() {
    this.path = [];
    this.board = null;
    this.base = 0;
    this.hovered = null;
    this.takeCommon();
  }

  takeCommon() {
    const [first] = this.moves;
    if (!first || this.moves.length < 2) return;
    const same = this.moves.every((move) => move.board === first.board && move.path.length > 1 &&
      !Array.isArray(move.path[0]) && move.path[0] === first.path[0]);
    if (!same) return;
    this.board = first.board;
    this.path = [first.path[0]];
    this.base = 1;
  }

  fitting() {
    return this.moves.filter((move) => (this.board == null || move.board === this.board) && move.path.length >= this.path.length &&
      this.path.every((place, i) => options(move.path[i]).includes(place)));
  }

  /* Places of a board that can be chosen next. */
  next(board, fitting = this.fitting()) {
    const places = new Set();
    for (const move of fitting) {
      if (move.board === board && move.path.length > this.path.length) options(move.path[this.path.length]).forEach((n) => places.add(n));
    }
    return places;
  }

  /* Those of them that get a dot: one of the places that mean the same. */
  shown(face, board, fitting) {
    const places = new Set();
    for (const move of fitting) {
      if (move.board !== board || move.path.length === this.path.length) continue;
      const list = options(move.path[this.path.length]);
      places.add(list.length === 1 ? list[0] : face.handle(list, this.path.length > 0 || move.path.length === 1));
    }
    return places;
  }

  /* All places that mean the same choice as this one. */
  group(board, place) {
    const all = new Set();
    for (const move of this.fitting()) {
      const list = move.board === board && move.path.length > this.path.length ? options(move.path[this.path.length]) : [];
      if (list.length > 1 && list.includes(place)) list.forEach((n) => all.add(n));
    }
    return all;
  }

  /* A place was chosen. Says whether it meant anything. */
  press(board, place) {
    const on = this.board == null || this.board === board;
    if (on && this.next(board).has(place)) {
      this.extend(board, place);
      return true;
    }
    const chosen = this.path.at(-1) === place && this.board === board;
    if (chosen && this.path.length === this.base) return true;
    this.cancel();
    if (!chosen && this.next(board).has(place)) {
      this.extend(board, place);
      return true;
    }
    return false;
  }

  extend(board, place) {
    this.chooser.close();
    this.board = board;
    this.path.push(place);
    this.hovered = null;
    const fitting = this.fitting();
    const over = fitting.filter((move) => move.path.length === this.path.length);
    const longer = fitting.length - over.length;
    if (over.length === 1 && !longer) {
      this.play(over[0]);
      return;
    }
    this.refresh();
    if (over.length) this.ask(board, place, over, fitting);
    else this.tell(board, place, fitting);
  }

  /* Several moves are meant, or the move may end here or go on. */
  ask(board, place, over, fitting) {
    const list = over.length < fitting.length && fitting.length <= 12 ? fitting : over;
    const go = list.length < fitting.length;
    this.chooser.open(this.faces[board], place, list, {
      pick: (move) => this.play(move),
      more: go ? () => this.faces[board].focus(place) : null,
      leave: () => {
        this.cancel();
        this.faces[board].focus(place);
      },
    });
  }

  tell(board, place, fitting) {
    const face = this.faces[board];
    announce(`${face.name(place)}, ${face.contents(place)} chosen. ${count(this.next(board, fitting).size, "place", "places")} to go to.`);
  }

  play(move) {
    this.chooser.close();
    this.reset();
    this.refresh();
    this.choose?.(move);
  }

  cancel() {
    this.chooser.close();
    if (this.path.length > this.base || this.hovered != null) {
      this.reset();
      this.refresh();
    }
  }

  /* Draws what can be chosen. */
  refresh() {
    if (!this.moves.length && this.idle) return;
    this.idle = !this.moves.length;
    const fitting = this.fitting();
    this.faces.forEach((face, board) => {
      const next = this.next(board, fitting);
      const hints = new Map();
      const picked = this.board === board && this.path.length > 0;
      for (const n of this.shown(face, board, fitting)) hints.set(n, picked ? (face.empty(n) ? "dot" : "take") : "can");
      const tints = new Map();
      if (this.board === board) this.path.forEach((n, i) => tints.set(this.meant(face, fitting, n, i), "chosen"));
      this.point(face, board, tints, hints);
      this.tint(board, tints);
      face.hint(hints, next, picked);
    });
  }

  /* Of places that mean the same, the one that stands for the i-th choice. */
  meant(face, fitting, place, i) {
    const element = fitting.find((move) => move.path.length > i)?.path[i];
    return Array.isArray(element) ? face.handle(element, i > 0) : place;
  }

  /* Shows what the place under the pointer would choose. */
  point(face, board, tints, hints) {
    if (this.hovered?.board !== board) return;
    const group = this.group(board, this.hovered.place);
    if (!group.size) return;
    for (const n of group) if (!tints.has(n)) tints.set(n, "pointed");
    if (face.board.style === "holes") hints.set(face.landing([...group]), "ghost");
  }

  hover(board, place) {
    const group = place != null && this.group(board, place).size > 0;
    const same = this.hovered?.board === board && this.hovered?.place === place;
    if (same || !group && this.hovered == null) return;
    this.hovered = group ? { board, place } : null;
    this.refresh();
  }

  /* Events */

  listen(face, board, signal) {
    const picture = face.picture;
    const on = (name, handler) => picture.addEventListener(name, handler, { signal });
    on("click", (event) => this.click(board, placeOf(event.target)));
    on("keydown", (event) => this.key(event, face, board));
    on("pointerdown", (event) => this.grab(event, face, board));
    on("pointermove", (event) => this.drag ? this.pull(event) : this.hover(board, placeOf(event.target)));
    on("pointerup", (event) => this.drop(event));
    on("pointercancel", () => this.letGo());
    on("pointerleave", () => !this.drag && this.hover(board, null));
  }

  /* On the node around the pictures: a picture that listens to the focus would
     get it itself. */
  listenFocus(node, signal) {
    const find = (event) => this.faces.findIndex((face) => face.picture.contains(event.target));
    node.addEventListener("focusin", (event) => {
      const board = find(event);
      if (board >= 0) this.focused(this.faces[board], board, placeOf(event.target));
    }, { signal });
    node.addEventListener("focusout", (event) => {
      const board = find(event);
      if (board < 0) return;
      this.faces[board].showRing(null);
      this.hover(board, null);
    }, { signal });
  }

  focused(face, board, place) {
    if (place == null) return;
    face.setCurrent(place);
    if (face.hits[place].matches(":focus-visible")) {
      face.showRing(place);
      this.hover(board, place);
    }
  }

  click(board, place) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (place == null) this.cancel();
    else this.press(board, place);
  }

  key(event, face, board) {
    const place = placeOf(event.target);
    if (place == null || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = this.target(event.key, face, place);
    if (target != null) face.focus(target);
    else if (event.key === "Enter" || event.key === " ") this.press(board, place);
    else if (event.key === "Escape" && this.path.length > this.base) this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  target(key, face, place) {
    if (ARROWS[key]) return face.step(place, ...ARROWS[key]);
    const row = face.layout.rows.find((list) => list.includes(place));
    if (key === "Home") return row[0];
    if (key === "End") return row.at(-1);
    if (key !== "PageUp" && key !== "PageDown") return null;
    const area = face.board.columns * face.board.rows;
    const other = place + (key === "PageDown" ? area : -area);
    return face.hits[other] ? other : place;
  }

  /* Drags */

  grab(event, face, board) {
    this.dragged = false;
    const place = placeOf(event.target);
    if (event.button !== 0 || place == null || !face.slots[place]?.childNodes.length) return;
    const again = this.board === board && this.path.at(-1) === place;
    const midway = this.board === board && this.path.length > this.base;
    if (!again && !(midway ? this.next(board) : this.opening(board)).has(place)) return;
    this.drag = { face, board, place, again, x: event.clientX, y: event.clientY, id: event.pointerId, lifted: false };
  }

  /* Places where a move can begin, whatever is chosen now. */
  opening(board) {
    const places = new Set(this.base ? this.path.slice(0, 1) : []);
    for (const move of this.moves) if (move.board === board && move.path.length > 1) options(move.path[0]).forEach((n) => places.add(n));
    return places;
  }

  pull(event) {
    const drag = this.drag;
    if (event.pointerId !== drag.id) return;
    if (!drag.lifted && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    if (!drag.lifted && !this.lift(drag)) return;
    const scale = drag.face.picture.getScreenCTM()?.a || 1;
    drag.slot.style.setProperty("translate", `${(event.clientX - drag.x) / scale}px ${(event.clientY - drag.y) / scale}px`);
    const under = this.under(event, drag.board);
    this.hover(drag.board, under);
  }

  lift(drag) {
    if (!drag.again) {
      this.press(drag.board, drag.place);
      if (this.path.at(-1) !== drag.place) {
        this.drag = null;
        return false;
      }
    }
    drag.lifted = true;
    this.dragged = true;
    drag.slot = drag.face.slots[this.meant(drag.face, this.fitting(), drag.place, this.path.length - 1)] ?? drag.face.slots[drag.place];
    drag.face.layers.focus.append(drag.slot);
    drag.slot.classList.add("is-lifted");
    drag.face.picture.classList.add("is-dragging");
    drag.face.picture.setPointerCapture(drag.id);
    return true;
  }

  under(event, board) {
    const node = document.elementFromPoint(event.clientX, event.clientY);
    return node && this.faces[board].picture.contains(node) ? placeOf(node) : null;
  }

  drop(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    this.letGo();
    if (!drag.lifted) return;
    const place = this.under(event, drag.board);
    if (place != null && this.next(drag.board).has(place)) this.extend(drag.board, place);
    else if (place !== drag.place) this.cancel();
  }

  letGo() {
    const drag = this.drag;
    this.drag = null;
    if (!drag?.lifted) return;
    drag.slot.classList.remove("is-lifted");
    drag.slot.style.removeProperty("translate");
    drag.face.layers.slots.append(drag.slot);
    drag.face.picture.classList.remove("is-dragging");
    if (drag.face.picture.hasPointerCapture(drag.id)) drag.face.picture.releasePointerCapture(drag.id);
    setTimeout(() => { this.dragged = false; }, 0);
  }
}

function placeOf(node) {
  const hit = node?.closest?.("[data-place]");
  return hit ? Number(hit.getAttribute("data-place")) : null;
}
