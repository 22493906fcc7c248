/* The boards of all games of games/, as the gallery shows them: something is drawn on every
   place that has something, nothing leaves its board, and nothing is wider than the room
   there is. The pictures of both colours are put into build/gallery. */

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { api, holds, main, open, root, same, test, until } from "./support.mjs";

const OUT = join(root, "build/gallery");

async function games(server) {
  const list = await until(async () => {
    const { body } = await api(server, "GET", "games");
    return body.games.every((game) => game.scene || game.error) ? body.games : null;
  }, "scenes of all games", 240000);
  return list;
}

/* All boards on one page, in columns of `width`. */
async function lay(page, list, width) {
  await page.evaluate(async ([given, room]) => {
    const { BoardView } = await import("/script/board.js");
    const main = document.getElementById("main");
    main.replaceChildren();
    main.style.setProperty("display", "grid");
    main.style.setProperty("grid-template-columns", `repeat(auto-fill, ${room}px)`);
    main.style.setProperty("gap", "1rem");
    main.style.setProperty("padding", "0");
    main.style.setProperty("max-width", "none");
    window.views = {};
    for (const { name, scene, state } of given) {
      const view = new BoardView(scene, { label: name });
      const box = document.createElement("section");
      box.append(Object.assign(document.createElement("h2"), { textContent: name }), view.node);
      box.style.setProperty("min-width", "0");
      main.append(box);
      view.show(state);
      window.views[name] = view;
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, [list, width]);
}

/* Pieces that are not within the picture of their board, and places with something where
   nothing is drawn. */
const inspect = (page) => page.evaluate(() => {
  const wrong = [];
  for (const [name, view] of Object.entries(window.views)) {
    view.faces.forEach((face) => {
      const frame = face.picture.getBoundingClientRect();
      face.layout.places.forEach((place, n) => {
        if (!place || face.empty(n)) return;
        const box = face.slots[n]?.getBoundingClientRect();
        if (!box || box.width < 3 || box.height < 3) wrong.push(`${name}: nothing is drawn on ${face.name(n)} (${face.contents(n)})`);
        else if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
          wrong.push(`${name}: ${face.contents(n)} on ${face.name(n)} is outside the board`);
        }
      });
    });
  }
  return wrong;
});

/* Places with something whose picture is the same without the pieces. */
async function unseen(page) {
  const shots = [];
  for (const look of ["visible", "hidden"]) {
    await page.evaluate((how) => document.querySelectorAll(".board-slots").forEach((node) => node.style.setProperty("visibility", how)), look);
    shots.push((await page.screenshot()).toString("base64"));
  }
  await page.evaluate(() => document.querySelectorAll(".board-slots").forEach((node) => node.style.removeProperty("visibility")));
  return page.evaluate(async (texts) => {
    const canvases = await Promise.all(texts.map(async (text) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], { type: "image/png" }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
      canvas.drawImage(bitmap, 0, 0);
      return canvas;
    }));
    const wrong = [];
    for (const [name, view] of Object.entries(window.views)) {
      view.faces.forEach((face) => face.layout.places.forEach((place, n) => {
        if (!place || face.empty(n)) return;
        const box = face.hits[n].getBoundingClientRect();
        const [one, other] = canvases.map((canvas) => canvas.getImageData(box.x + scrollX, box.y + scrollY, Math.max(1, box.width), Math.max(1, box.height)).data);
        let far = 0;
        for (let i = 0; i < one.length; i += 4) far += Math.abs(one[i] - other[i]) + Math.abs(one[i + 1] - other[i + 1]) + Math.abs(one[i + 2] - other[i + 2]) > 60;
        if (far < one.length / 4 * 0.004) wrong.push(`${name}: ${face.contents(n)} on ${face.name(n)} cannot be seen`);
      }));
    }
    return wrong;
  }, shots);
}

await main(async ({ server, browser }) => {
  const list = await games(server);
  const page = await open(browser, server, "#/", { width: 1500 });
  await page.setViewportSize({ width: 1500, height: 5000 }); /* all boards at once */
  mkdirSync(OUT, { recursive: true });

  await test("there is a scene for each game", async () => {
    const names = readdirSync(join(root, "games")).filter((name) => name.endsWith(".kif")).map((name) => name.slice(0, -4));
    same(list.map((game) => game.name).sort(), names.sort());
    return list.filter((game) => !game.scene).map((game) => `${game.name}: ${game.error}`).join("\n");
  });

  for (const scheme of ["light", "dark"]) {
    await test(`every piece is drawn within its board, ${scheme}`, async () => {
      await page.emulateMedia({ colorScheme: scheme });
      await lay(page, list, 340);
      await page.screenshot({ path: join(OUT, `${scheme}.png`) });
      return [...await inspect(page), ...await unseen(page)].slice(0, 20).join("\n");
    });
  }

  await test("boards keep within a narrow screen", async () => {
    await page.setViewportSize({ width: 360, height: 700 });
    await lay(page, list, 330);
    const over = await page.evaluate(() => [...document.querySelectorAll("#main section")].filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => `${box.firstChild.textContent} is ${box.scrollWidth} px wide`));
    return [...over, ...await inspect(page)].join("\n");
  });

  await test("most games have a board", () => {
    const without = list.filter((game) => game.scene && !game.scene.boards.length).map((game) => game.name);
    holds(without.length <= 8, without.join(", "));
  });

  await test("no errors in the page", () => page.faults.join("\n"));
});
