/* Boards in a browser: scenes written here are drawn by the page's own script, then moves
   are chosen by clicks, drags and keys. What the server says about games is not needed. */

import { accessibility, holds, main, open, same, test } from "./support.mjs";

const numbers = (count) => Array.from({ length: count }, (_, i) => String(i + 1));
const board = (more) => ({ name: "cell", shape: "grid", columns: 8, rows: 8, layers: 1, outer: null, x: null, y: null, z: null,
  up: true, checkered: false, style: "squares", missing: [], ...more });
const piece = (name, side, shape, more) => ({ name, side, kind: shape, letter: name[0].toUpperCase(), shape, text: null, value: null, ...more });
const state = (cells, more) => ({ cells: [cells], changed: [[]], remarks: [], facts: [], terminal: false, goals: null, ...more });
const move = (path, say = path.join(" to "), name = `(${say})`) => ({ move: name, say, board: 0, path });

/* A small game of pieces that move: a man may jump once or go on, a pawn may become one of
   two pieces, and a rook may go anywhere along its row. */
const men = {
  scene: {
    boards: [board({ columns: 5, rows: 5, x: ["a", "b", "c", "d", "e"], y: numbers(5), checkered: true })],
    pieces: [piece("white man", 0, "man"), piece("black man", 1, "man"), piece("white pawn", 0, "pawn"), piece("white rook", 0, "rook")],
  },
  state: state(at(25, { 0: 1, 6: 2, 18: 3, 4: 4, 16: 2 })),
  moves: [move([0, 12], "jump"), move([0, 12, 20], "jump twice"), move([18, 23], "to queen"), move([18, 23], "to knight"), move([4, 3]), move([4, 2])],
};

const drops = {
  scene: { boards: [board({ columns: 4, rows: 3, style: "holes", x: numbers(4) })], pieces: [piece("red", 2, "disc"), piece("black", 1, "disc")] },
  state: state(at(12, { 1: 1, 5: 2 })),
  moves: [0, 1, 2, 3].map((x) => move([[x, x + 4, x + 8]], `column ${x + 1}`)),
};

const marks = {
  scene: { boards: [board({ columns: 3, rows: 3, x: numbers(3), y: numbers(3) })], pieces: [piece("x", 0, "cross"), piece("o", 1, "ring")] },
  state: state(at(9, { 4: 1, 0: 2 })),
  moves: [1, 2, 3, 5, 6, 7, 8].map((n) => move([n])),
};

const layers = {
  scene: { boards: [board({ columns: 4, rows: 4, layers: 4, x: numbers(4), y: numbers(4), z: numbers(4) })], pieces: marks.scene.pieces },
  state: state(at(64, { 0: 1, 21: 2, 63: 1 })),
  moves: [move([16]), move([1])],
};

const table = {
  scene: { boards: [], pieces: [] },
  state: state([], { cells: [], facts: ["(step 3)", "(light on)", "(link b 10)", "(link b 9)", "(pair (f a) \"<b>\")", "done"] }),
  moves: [],
};

const knight = {
  scene: { boards: [board({ columns: 3, rows: 3 })], pieces: [piece("knight", null, "knight")] },
  state: state(at(9, { 0: 1 })),
  moves: [move([0, 5]), move([0, 7])],
};

function at(count, contents) {
  return Array.from({ length: count }, (_, n) => contents[n] ?? 0);
}

/* Puts a scene into the page, alone. */
async function put(page, game) {
  await page.evaluate(async (given) => {
    const { BoardView } = await import("/script/board.js");
    window.view?.destroy();
    window.view = new BoardView(given.scene, { label: "The board" });
    window.chosen = [];
    document.getElementById("main").replaceChildren(window.view.node);
    window.view.show(given.state);
    window.view.offer(given.moves, (one) => window.chosen.push(one.move));
  }, game);
}

const place = (page, n) => page.locator(`[data-place="${n}"]`);
const chosen = (page) => page.evaluate(() => window.chosen.splice(0));
const hints = (page, kind) => page.locator(`.board-hints .is-${kind}`).count();
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label"));

async function clicks(page) {
  await test("a place, then the next one", async () => {
    await put(page, men);
    same(await hints(page, "can"), 3, "pieces that can move");
    await place(page, 4).click();
    same(await hints(page, "dot"), 2, "places to go to");
    same(await chosen(page), [], "nothing is chosen yet");
    await place(page, 2).click();
    same(await chosen(page), ["(4 to 2)"]);
  });

  await test("another piece, or a click elsewhere, is another choice", async () => {
    await put(page, men);
    await place(page, 4).click();
    await place(page, 0).click();
    same(await page.locator(".is-chosen").count(), 1, "chosen places");
    await place(page, 24).click();
    same([await page.locator(".is-chosen").count(), await hints(page, "can")], [0, 3], "after a click elsewhere");
    await place(page, 4).click();
    await page.locator("header").click({ position: { x: 5, y: 5 } });
    same(await page.locator(".is-chosen").count(), 0, "after a click beside the board");
    same(await chosen(page), []);
  });

  await test("several moves of one path are asked for", async () => {
    await put(page, men);
    await place(page, 18).click();
    await place(page, 23).click();
    same(await page.getByRole("menuitem").allTextContents(), ["to queen", "to knight"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    same(await chosen(page), ["(to knight)"]);
    same(await page.getByRole("menu").count(), 0, "menus");
  });

  await test("Escape leaves the menu, and nothing is played", async () => {
    await put(page, men);
    await place(page, 18).click();
    await place(page, 23).click();
    await page.keyboard.press("Escape");
    same([await page.getByRole("menu").count(), await page.locator(".is-chosen").count()], [0, 0], "menus, chosen places");
    same(await chosen(page), []);
    holds((await focused(page)).startsWith("d5"), `the focus is at ${await focused(page)}`);
  });

  await test("a move that may end or go on", async () => {
    await put(page, men);
    await place(page, 0).click();
    await place(page, 12).click();
    same(await page.getByRole("menuitem").allTextContents(), ["jump", "jump twice"]);
    await place(page, 20).click();
    same(await chosen(page), ["(jump twice)"], "by the next place");
    await place(page, 0).click();
    await place(page, 12).click();
    await page.getByRole("menuitem", { name: "jump", exact: true }).click();
    same(await chosen(page), ["(jump)"], "by the menu");
  });

  await test("a column of places that mean the same", async () => {
    await put(page, drops);
    same(await hints(page, "can"), 4, "one hint for each column");
    await place(page, 9).hover();
    same([await page.locator(".is-pointed").count(), await hints(page, "ghost")], [3, 1], "places of the column, ghosts");
    await place(page, 9).click();
    same(await chosen(page), ["(column 2)"]);
  });

  await test("where all moves begin is chosen already", async () => {
    await put(page, knight);
    same([await page.locator(".is-chosen").count(), await hints(page, "dot")], [1, 2], "chosen places, places to go to");
    await place(page, 0).click();
    await place(page, 7).click();
    same(await chosen(page), ["(0 to 7)"]);
  });

  await test("without an offer nothing can be chosen", async () => {
    await put(page, men);
    await page.evaluate(() => window.view.offer(null, null));
    await place(page, 4).click();
    same([await hints(page, "can"), await page.locator(".is-chosen").count()], [0, 0], "hints, chosen places");
  });
}

async function pull(page, from, to, meanwhile = null) {
  const [a, b] = [await place(page, from).boundingBox(), await place(page, to).boundingBox()];
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x + a.width) / 2, (a.y + b.y + a.height) / 2, { steps: 3 });
  await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 3 });
  await meanwhile?.();
  await page.mouse.up();
}

async function drags(page) {
  await test("a piece is dragged to its place", async () => {
    await put(page, men);
    await pull(page, 4, 3, async () => same(await page.locator(".is-lifted").count(), 1, "lifted pieces"));
    same(await chosen(page), ["(4 to 3)"]);
    same(await page.locator(".is-lifted").count(), 0, "lifted pieces at the end");
  });

  await test("a drag to a wrong place changes nothing", async () => {
    await put(page, men);
    await pull(page, 4, 14);
    same([await chosen(page), await page.locator(".is-chosen").count()], [[], 0], "moves, chosen places");
    await pull(page, 6, 12);
    same(await page.locator(".is-chosen").count(), 0, "a piece that cannot move");
  });

  await test("by touch", async () => {
    await put(page, men);
    const box = await place(page, 4).boundingBox();
    await page.touchscreen.tap(box.x + 10, box.y + 10);
    await page.touchscreen.tap(...Object.values(await middle(page, 2)));
    same(await chosen(page), ["(4 to 2)"]);
    same(await place(page, 4).evaluate((node) => getComputedStyle(node).touchAction), "none", "touch-action of a piece that can be dragged");
    await place(page, 4).click();
    same(await place(page, 2).evaluate((node) => getComputedStyle(node).touchAction), "auto", "of an empty place");
    same(await place(page, 24).evaluate((node) => getComputedStyle(node.ownerSVGElement).touchAction), "manipulation", "elsewhere");
  });
}

async function middle(page, n) {
  const box = await place(page, n).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function keys(page) {
  await test("with keys alone", async () => {
    await put(page, marks);
    await page.locator("#main").focus();
    await page.keyboard.press("Tab");
    same(await focused(page), "1 3, empty, can be chosen");
    for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    same(await focused(page), "2 2, x");
    same(await page.locator(".board-ring").count(), 1, "the focus is seen");
    await page.keyboard.press("End");
    same(await focused(page), "3 2, empty, can be chosen");
    await page.keyboard.press("Enter");
    same(await chosen(page), ["(5)"]);
  });

  await test("from and to, and Escape between them", async () => {
    await put(page, men);
    await page.evaluate(() => window.view.faces[0].focus(4));
    same(await focused(page), "e1, white rook, can move");
    await page.keyboard.press(" ");
    same(await focused(page), "e1, white rook, chosen");
    await page.keyboard.press("Escape");
    same(await focused(page), "e1, white rook, can move");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowLeft");
    same(await focused(page), "d1, empty, can go here");
    await page.keyboard.press("Enter");
    same(await chosen(page), ["(4 to 3)"]);
  });

  await test("layers are reached", async () => {
    await put(page, layers);
    await page.evaluate(() => window.view.faces[0].focus(0));
    same(await focused(page), "layer 1, 1 1, x");
    await page.keyboard.press("PageDown");
    same(await focused(page), "layer 2, 1 1, empty, can be chosen");
    await page.keyboard.press("Enter");
    same(await chosen(page), ["(16)"]);
    const stops = await page.locator('.board-hit[tabindex="0"]').count();
    same(stops, 1, "stops of the Tab key");
  });
}

async function shows(page) {
  await test("only what changed is drawn anew", async () => {
    await put(page, marks);
    const kept = await page.evaluate((cells) => {
      const before = document.querySelector('[data-slot="4"]').firstChild;
      const picture = document.querySelector(".board-picture");
      window.view.show({ ...window.view.state, cells: [cells], changed: [[8]] });
      return before === document.querySelector('[data-slot="4"]').firstChild && picture === document.querySelector(".board-picture");
    }, at(9, { 4: 1, 0: 2, 8: 1 }));
    holds(kept, "the picture and the cross are the same nodes");
    same(await page.locator('[data-slot="8"] .piece-cross').count(), 1, "crosses on the new place");
    same(await place(page, 8).getAttribute("aria-label"), "3 3, x, can move");
  });

  await test("the last move is marked", async () => {
    await put(page, men);
    await page.evaluate(() => window.view.mark([{ board: 0, path: [4, 3] }, { board: null, path: [] }, null]));
    same([await page.locator(".board-tints .is-from").count(), await page.locator(".board-tints .is-to").count()], [1, 1], "from, to");
    const said = await page.evaluate(() => window.view.describe({ ...window.view.state, changed: [[4]] }, [{ say: "e1 to d1" }]));
    same(said, "e1 to d1. e1 white rook.", "in words");
  });

  await test("heat has numbers, and words for those who do not see it", async () => {
    await put(page, men);
    await page.evaluate(() => window.view.heat([{ board: 0, path: [4, 3], weight: 1, text: "61" }, { board: 0, path: [0, 12], weight: 0.2, text: "40" },
      { board: 0, path: [18, 3], weight: 0.1, text: "9" }]));
    same(await page.locator(".heat-text").allTextContents(), ["61", "40"]);
    same(await page.locator(".board-view li").allTextContents(), ["e1 to d1: 61", "a1 to c3: 40"]);
    await page.evaluate(() => window.view.heat(null));
    same(await page.locator(".heat-place").count(), 0, "places with heat at the end");
  });

  await test("games without a board: a table of facts", async () => {
    await put(page, table);
    same(await page.locator("dt").allTextContents(), ["light", "step", "done"]);
    same(await page.locator("caption").allTextContents(), ["link", "pair"]);
    same(await page.locator("table").first().locator("tr").allTextContents(), ["b9", "b10"]);
    same(await page.locator("table").last().locator("td, th").allTextContents(), ["(f a)", "\"<b>\""]);
    await page.evaluate(() => window.view.show({ facts: ["(step 4)", "(light on)"] }));
    same(await page.locator(".is-new").allTextContents(), ["4"], "facts that are new");
  });

  await test("19 x 19 places: an update takes few milliseconds", async () => {
    const stones = { scene: { boards: [board({ columns: 19, rows: 19, style: "points" })], pieces: [piece("black", 1, "disc"), piece("white", 0, "disc")] },
      state: state(at(361, {})), moves: [] };
    await put(page, stones);
    const times = await page.evaluate(() => {
      const cells = window.view.state.cells[0].slice();
      return Array.from({ length: 60 }, (_, i) => {
        cells[(i * 37) % 361] = 1 + i % 2;
        const next = { ...window.view.state, cells: [cells.slice()], changed: [[(i * 37) % 361]] };
        const begin = performance.now();
        window.view.show(next);
        window.view.mark([{ board: 0, path: [(i * 37) % 361] }]);
        return performance.now() - begin;
      }).sort((a, b) => a - b);
    });
    holds(times[30] < 5, `median of ${times[30]} ms`);
  });
}

/* Mean brightness of the places of the board, 0 to 255. */
async function brightness(page) {
  const shot = await page.screenshot({ fullPage: true });
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    return [...document.querySelectorAll("[data-place]")].map((place) => {
      const box = place.getBoundingClientRect();
      const { data } = canvas.getImageData(box.x + scrollX + box.width * 0.15, box.y + scrollY + box.height * 0.15, box.width * 0.7, box.height * 0.7);
      let sum = 0;
      for (let i = 0; i < data.length; i += 4) sum += 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
      return sum / (data.length / 4);
    });
  }, shot.toString("base64"));
}

async function looks(page) {
  const shapes = ["pawn", "rook", "knight", "bishop", "queen", "king", "man", "crown", "disc", "ring", "cross", "square", "token"];

  for (const scheme of ["light", "dark"]) {
    await test(`light and dark pieces differ in brightness, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      const pieces = shapes.flatMap((shape) => [piece("white", 0, shape, { letter: null }), piece("black", 1, shape, { letter: null })]);
      await put(page, { scene: { boards: [board({ columns: 2, rows: shapes.length, up: false })], pieces }, state: state(pieces.map((_, n) => n + 1)), moves: [] });
      const means = await brightness(page);
      for (let i = 0; i < shapes.length; i++) {
        const [one, other] = [means[2 * i], means[2 * i + 1]];
        holds(one - other > 25, `${shapes[i]}: ${one.toFixed(0)} and ${other.toFixed(0)} of 255`);
      }
    });
  }
  await page.emulateMedia({ colorScheme: "light" });

  await test("no two sides differ by colour alone", async () => {
    const pieces = [0, 1, 2, 3, 4, 5].map((side) => piece(`side ${side}`, side, "disc"));
    await put(page, { scene: { boards: [board({ columns: 6, rows: 1, shape: "row" })], pieces }, state: state([1, 2, 3, 4, 5, 6]), moves: [] });
    const drawn = await page.evaluate(() => [...document.querySelectorAll("[data-slot]")].map((slot) =>
      [...slot.querySelectorAll("path, circle, rect")].map((node) => node.getAttribute("d") ?? node.localName).join(" ")));
    same(new Set(drawn).size, 6, "different drawings");
  });

  await test("nothing is wider than a narrow screen", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    for (const [name, game] of Object.entries({ men, drops, marks, layers, table, knight })) {
      await put(page, game);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      holds(over <= 0, `${name} is ${over} px too wide`);
    }
    await page.setViewportSize({ width: 1200, height: 850 });
  });

  await test("layers lie side by side where there is room, else below each other", async () => {
    await put(page, layers);
    const across = () => page.evaluate(() => new Set([0, 16, 32, 48].map((n) => Math.round(document.querySelector(`[data-place="${n}"]`).getBoundingClientRect().x))).size);
    await page.setViewportSize({ width: 1500, height: 500 });
    await page.waitForFunction(() => window.view.faces[0].across === 4);
    same(await across(), 4, "side by side");
    await page.setViewportSize({ width: 360, height: 850 });
    await page.waitForFunction(() => window.view.faces[0].across < 4);
    holds(await across() <= 2, "on a narrow screen");
    same(await page.locator('[data-slot="63"] .piece-cross').count(), 1, "the piece is still there");
    await page.evaluate(() => window.view.faces[0].focus(21));
    await page.setViewportSize({ width: 1500, height: 500 });
    await page.waitForFunction(() => window.view.faces[0].across === 4);
    same(await focused(page), "layer 2, 2 2, o", "the focus stays where it was");
    await page.setViewportSize({ width: 1200, height: 850 });
  });

  await test("a piece slides unless motion is not wanted", async () => {
    const next = at(25, { 0: 1, 6: 2, 18: 3, 3: 4, 16: 2 });
    const moving = (cells) => page.evaluate((given) => {
      window.view.show({ ...window.view.state, cells: [given], changed: [[3, 4]] });
      return document.querySelector('[data-slot="3"]').firstChild.getAnimations().length;
    }, cells);
    await put(page, men);
    same(await moving(next), 0, "movements with reduced motion");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await put(page, men);
    same(await moving(next), 1, "movements");
    await page.emulateMedia({ reducedMotion: "reduce" });
  });

  await test("axe finds nothing serious", async () => {
    const findings = [];
    for (const game of [men, drops, layers, table]) {
      await put(page, game);
      await page.evaluate(() => document.getElementById("main").prepend(Object.assign(document.createElement("h1"), { textContent: "Board" })));
      findings.push(...await accessibility(page));
    }
    return findings.join("\n");
  });
}

await main(async ({ server, browser }) => {
  const page = await open(browser, server, "#/", { hasTouch: true, bypassCSP: true });
  await clicks(page);
  await drags(page);
  await keys(page);
  await shows(page);
  await looks(page);
  await test("no errors in the page", () => page.faults.join("\n"));
});
