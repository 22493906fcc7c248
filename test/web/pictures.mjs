/* The pictures of the README: docs/img/*.png, made from a run. `make pictures`.

   In the games of the pictures a person plays what hints advise, so that there is
   something to see in the middle: the chart of what was expected, and thoughts. What a
   search thinks differs from run to run. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shrink } from "./png.mjs";
import { api, holds, main, open, root, same, test, until } from "./support.mjs";

const FOLDER = join(root, "docs/img");
const LARGEST = 150000; /* bytes of one picture */

async function begin(server, body) {
  const answer = await api(server, "POST", "matches", { start: 0.5, play: 2, ...body });
  same(answer.status, 201, `begin: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

/* A person makes `count` moves as the hints advise. */
async function advance(server, id, count) {
  let turn = await asked(server, id, -1);
  for (let made = 0; made < count; made++) {
    const { step, legal } = turn;
    await api(server, "POST", `matches/${id}/hint`, { role: 0, seconds: 0.5 });
    const advice = await until(async () => {
      const { live } = (await api(server, "GET", `matches/${id}`)).body;
      return live.find((thought) => thought?.purpose === "hint" && thought.step === step && thought.seconds > 0.3)?.moves[0];
    }, "a hint", 10000).catch(() => legal[0][0]);
    await api(server, "POST", `matches/${id}/move`, { role: 0, step, move: advice.move });
    turn = await asked(server, id, step);
  }
}

/* The turn after a step, when the person has a choice. */
function asked(server, id, after) {
  return until(async () => {
    const { turn } = (await api(server, "GET", `matches/${id}`)).body;
    return turn.step > after && turn.asked?.includes(0) ? turn : null;
  }, "a person's turn", 60000);
}

async function allBoards(server) {
  await until(async () => (await api(server, "GET", "games")).body.making === 0, "boards of the gallery", 300000);
}

async function save(page, name) {
  const path = join(FOLDER, `${name}.png`);
  await page.mouse.move(0, 0);
  const picture = shrink(await page.screenshot());
  await page.context().close();
  writeFileSync(path, picture);
  const bytes = picture.length;
  console.log(`# ${name}.png ${bytes} bytes`);
  holds(bytes < LARGEST, `${name}.png has ${bytes} bytes`);
}

async function home(server, browser, name, options) {
  const page = await open(browser, server, "#/", options);
  await page.waitForFunction(() => !document.querySelector(".hero .picture-plain"));
  await page.waitForTimeout(1500);
  await save(page, name);
}

async function play(server, browser, name, game, options) {
  const id = await begin(server, { game, players: ["human", "tafl"], play: 1, seed: "7" });
  await advance(server, id, 6);
  const page = await open(browser, server, `#/match/${id}`, options);
  await page.getByRole("button", { name: /What is it thinking/ }).click();
  await page.getByRole("button", { name: "Hint" }).click();
  await page.waitForSelector(".match-advice:not([hidden])");
  await page.waitForTimeout(1500);
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  await save(page, name);
  await api(server, "DELETE", `matches/${id}`);
}

await main(async ({ server, browser }) => {
  mkdirSync(FOLDER, { recursive: true });
  await test("boards of the gallery", () => allBoards(server));
  await test("a game being played, with what the program thinks", () => play(server, browser, "play", "breakthrough", { width: 1280, height: 860 }));
  await test("the games", () => home(server, browser, "home", { width: 1280, height: 860 }));
  await test("dark colours", () => play(server, browser, "dark", "othello", { width: 1280, height: 860, scheme: "dark" }));
  await test("a narrow screen", () => play(server, browser, "narrow", "checkers", { width: 390, height: 800 }));
});
