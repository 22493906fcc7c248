/* Every screen: no grave finding of axe-core in light and dark, no sideways scrolling of
   the page at 360 pixels, nothing that the content-security policy forbids, and names of
   games, roles, moves and pieces that look like markup do nothing.

   The server has a tournament in its store and a hostile game in its library, and that
   game is played to its end. */

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { accessibility, api, holds, main, open, root, same, tafl, test, until, visit } from "./support.mjs";

const HOSTILE = join(root, "test/web/hostile.kif");

function prepare({ work, db }) {
  tafl("tour", "ticTacToe", "--players", "random,legal", "--games", "2", "--db", db, "--seed", "1");
  const library = join(work, "library");
  mkdirSync(library);
  copyFileSync(HOSTILE, join(library, "hostile.kif"));
  return ["--games-path", library];
}

/* Begins a match; -> its id. */
async function begin(server, body) {
  const answer = await api(server, "POST", "matches", { start: 0.2, play: 0.2, ...body });
  same(answer.status, 201, `begin: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

async function over(server, id) {
  return until(async () => {
    const { body } = await api(server, "GET", `matches/${id}`);
    return body.turn?.phase === "over" || body.turn?.phase === "failed" ? body : null;
  }, "the end of a match");
}

/* [name, address] of every screen, with something on it. */
async function screens(server) {
  const played = await begin(server, { game: "breakthrough", players: ["human", "tafl"] });
  const watched = await begin(server, { game: "ticTacToe", players: ["tafl", "random"], play: 1 });
  const ended = await begin(server, { rules: readFileSync(HOSTILE, "utf8"), players: ["random", "random"] });
  const hostile = await begin(server, { rules: readFileSync(HOSTILE, "utf8"), players: ["human", "random"] });
  await over(server, ended);
  const record = await until(async () => (await api(server, "GET", "records")).body.records[0]?.id, "a record");
  const tour = (await api(server, "GET", "tours")).body.tours[0].id;
  const table = (await api(server, "GET", "lab")).body.tables[0].id;
  return [
    ["Home", "#/"],
    ["Game", "#/games/breakthrough"],
    ["Game with hostile names", "#/games/hostile"],
    ["Match being played", `#/match/${played}`],
    ["Match being watched", `#/match/${watched}`],
    ["Match with hostile names", `#/match/${hostile}`],
    ["Match with hostile names that is over", `#/match/${ended}`],
    ["Record", `#/record/${record}`],
    ["Matches", "#/matches"],
    ["Tournaments", "#/tours"],
    ["Tournament", `#/tours/${tour}`],
    ["Lab", "#/lab"],
    ["Table", `#/lab/${table}`],
    ["Players", "#/players"],
    ["Try", "#/try"],
    ["Try with a game", "#/try?game=hostile"],
    ["No such screen", "#/nothing"],
  ];
}

/* What is fetched late has to be there: the page is quiet for a moment. */
async function settle(page) {
  await page.waitForTimeout(700);
}

const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
const harm = () => ("hacked" in window ? "a script of a name ran" : null)
  ?? (document.querySelector("main script, main iframe:not([sandbox]), main [onerror], main [onload], main img:not([src^='api/'])")?.outerHTML ?? "");

/* One visit serves all questions: wide in light and dark, then narrow. */
async function look(server, browser, list) {
  const page = await open(browser, server);
  for (const [name, address] of list) {
    const missing = name === "No such screen";
    await visit(page, address);
    await settle(page);
    await test(`${name}: shows what it should`, async () => same(await page.locator(".problem").count(), missing ? 1 : 0, "problems"));
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await test(`${name}: accessible, ${colorScheme}`, async () => (await accessibility(page)).join("\n"));
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await test(`${name}: fits 360 pixels`, async () => {
      await page.waitForTimeout(100);
      const excess = await page.evaluate(wide);
      return excess > 0 ? `${excess} pixels too wide: ${await page.evaluate(widest)}` : "";
    });
    await page.setViewportSize({ width: 1200, height: 850 });
    await test(`${name}: no harm, no violation`, async () => [await page.evaluate(harm), ...page.faults.splice(0)].filter(Boolean).join("\n"));
  }
  await page.context().close();
}

/* What sticks out, for the report of a failure. */
function widest() {
  const right = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll("main *")].filter((node) => node.getBoundingClientRect().right > right + 1);
  return out.slice(0, 5).map((node) => node.cloneNode(false).outerHTML.slice(0, 120)).join(" ");
}

/* A person plays the hostile game by clicks on its moves: its names are on the board, in the list of moves, in
   the words about the turn. */
async function playHostile(server, browser) {
  const id = await begin(server, { rules: readFileSync(HOSTILE, "utf8"), players: ["human", "random"] });
  const page = await open(browser, server, `#/match/${id}`);
  await test("a game with hostile names is played and does nothing else", async () => {
    await until(async () => {
      const { turn } = (await api(server, "GET", `matches/${id}`)).body;
      if (turn.phase !== "over" && turn.asked.includes(0)) await page.locator(".moves-item").first().click({ timeout: 1000 }).catch(() => {});
      return turn.phase === "over";
    }, "the end of the game");
    await settle(page);
    const text = await page.locator("main").textContent();
    holds(text.includes("<script>hacked=1</script>"), "the role is shown by its name");
    return [await page.evaluate(harm), ...page.faults].filter(Boolean).join("\n");
  });
  await page.context().close();
}

await main(async ({ server, browser }) => {
  const list = await screens(server);
  await look(server, browser, list);
  await playHostile(server, browser);
}, { prepare });
