/* Short movements: a piece that has left one place and come to another slides
   there; one that has come from nowhere appears, or falls in from above. */

const TIME = 220;
const MANY = 16;

const values = (content) => (Array.isArray(content) ? content : [content]).filter((value) => value > 0);

/* Which pieces left and which came, by piece: {value: {left: [n], came: [n]}} */
function accounts(before, after, changed) {
  const map = new Map();
  const note = (value, kind, n) => {
    if (!map.has(value)) map.set(value, { left: [], came: [] });
    map.get(value)[kind].push(n);
  };
  for (const n of changed) {
    const [old, now] = [values(before[n] ?? 0), values(after[n] ?? 0)];
    for (const value of old) if (!now.includes(value)) note(value, "left", n);
    for (const value of now) if (!old.includes(value)) note(value, "came", n);
  }
  return map;
}

export function travel(face, before, changed) {
  if (!before.length || changed.length > MANY) return;
  for (const { left, came } of accounts(before, face.cells, changed).values()) {
    if (came.length === 1 && left.length === 1) slide(face, left[0], came[0]);
    else for (const n of came) appear(face, n);
  }
}

function slide(face, from, to) {
  const [a, b] = [face.layout.places[from], face.layout.places[to]];
  const slot = face.slots[to];
  if (!slot) return;
  slot.parentNode.append(slot);
  move(slot, a.x - b.x, a.y - b.y);
}

function move(slot, dx, dy) {
  for (const node of slot.children) {
    const rest = node.getAttribute("transform") ?? "";
    node.animate([{ transform: `translate(${dx}px, ${dy}px) ${css(rest)}` }, { transform: css(rest) || "none" }],
      { duration: TIME, easing: "ease-out" });
  }
}

/* The attribute's transform as CSS writes it. */
const css = (text) => text.replace(/translate\((\S+) (\S+)\)/, "translate($1px, $2px)");

function appear(face, n) {
  const slot = face.slots[n];
  if (!slot) return;
  if (face.board.style === "holes") {
    move(slot, 0, face.layout.panels[face.layout.places[n].panel].y - face.layout.places[n].y);
    return;
  }
  for (const node of slot.children) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
}
