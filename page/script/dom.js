/* Nodes of the page. Text from outside only ever becomes text nodes and attribute
   values, never markup; there is no other way to make nodes here. */

const SVG = "http://www.w3.org/2000/svg";

/* Attributes that must be set as properties, since the attribute is only the default. */
const LIVE = new Set(["value", "checked", "selected", "indeterminate", "scrollTop"]);

/* el("a", {href: "#/", class: "big", on: {click: f}}, "text", node, null, [more]).
   true gives an attribute without value; false, null and undefined give none. `style` is
   an object of CSS properties, since style attributes are forbidden here. */
export function el(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) set(node, name, value);
  append(node, children);
  /* The value of a select means something only once the options are there. */
  if (props?.value !== undefined && node.localName === "select") node.value = props.value;
  return node;
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "on") {
    for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
  } else if (name === "style") {
    for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
  } else if (LIVE.has(name) && name in node) {
    node[name] = value;
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child instanceof Node ? child : String(child));
  }
}

/* A text in which `words` in backticks are code, as children for el. A backtick without
   another one stays as it is. */
export function prose(text) {
  return text.split(/`([^`]+)`/).map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

export function clear(node) {
  node.replaceChildren();
  return node;
}

/* Says a text to people who do not see the page. The same text twice is said twice. */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live) return;
  live.textContent = live.textContent === text ? text + "\u00a0" : text;
}

/* Icons: strokes on a field of 24 by 24. They say nothing by themselves; the button
   around an icon has the words. */
const ICONS = {
  back: "M15 5l-7 7 7 7",
  chart: "M4 4v16h16M8 15l4-5 3 3 5-7",
  check: "M5 13l4.5 4.5L19 7",
  clock: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2",
  close: "M6 6l12 12M18 6L6 18",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  down: "M5 9l7 7 7-7",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 9a3 3 0 100 6 3 3 0 000-6z",
  first: "M18 5l-8 7 8 7M6 5v14",
  flag: "M5 21V4h13l-3 4.5 3 4.5H5",
  flip: "M7 20V5l-4 4M17 4v15l4-4",
  forward: "M9 5l7 7-7 7",
  hint: "M9 17h6M10 21h4M12 3a6 6 0 00-3.5 10.9V15h7v-1.1A6 6 0 0012 3z",
  home: "M3 12l9-8 9 8M6 10v10h12V10",
  last: "M6 5l8 7-8 7M18 5v14",
  link: "M10 14a4 4 0 006 .5l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6-.5l-3 3a4 4 0 006 6l1-1",
  moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  pause: "M8 5v14M16 5v14",
  pencil: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  play: "M7 4l13 8-13 8z",
  plus: "M12 5v14M5 12h14",
  refresh: "M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 00-13-3M5 14a7.5 7.5 0 0013 3",
  search: "M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l5 5",
  stop: "M6 6h12v12H6z",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  undo: "M9 6L4 11l5 5M4 11h10a6 6 0 010 12",
  warn: "M12 4l9 16H3zM12 10v5M12 17.5v.5",
};

export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: ICONS[name] ?? ICONS.close }));
}
