/* Small boards for galleries. The code that draws is fetched when the first board comes
   near the window, and each board is drawn then: a long gallery costs what is seen. */

import { el, svg } from "./dom.js";

/* -> {node, put(scene, state), close}. Without a scene the node shows a plain field. */
export function picture() {
  const node = el("div", { class: "picture", "aria-hidden": "true" }, plain());
  let wanted = null;
  let near = false;
  const observer = new IntersectionObserver((entries) => {
    near = near || entries.some((entry) => entry.isIntersecting);
    if (near) observer.disconnect();
    draw();
  }, { rootMargin: "300px" });
  observer.observe(node);

  async function draw() {
    if (!near || !wanted) return;
    const { scene, state } = wanted;
    wanted = null;
    try {
      const { thumbnail } = await import("./board.js");
      node.replaceChildren(thumbnail(scene, state));
    } catch (error) {
      console.error(error); /* the plain field stays */
    }
  }

  function put(scene, state) {
    if (!scene || !state) return;
    wanted = { scene, state };
    draw();
  }

  return { node, put, close: () => observer.disconnect() };
}

/* A board that is still to be drawn: four fields by four, pale. */
function plain() {
  const fields = [];
  for (let at = 0; at < 16; at++) {
    const [x, y] = [at % 4, at >> 2];
    if ((x + y) % 2) fields.push(`M${x} ${y}h1v1h-1z`);
  }
  return svg("svg", { class: "picture-plain", viewBox: "0 0 4 4" },
    svg("rect", { width: 4, height: 4, rx: 0.06 }), svg("path", { d: fields.join("") }));
}
