/* Matches, Tournaments and Lab in a browser, with a store of two tournaments and with one
   of nothing: filters in the address, older matches, the way to a replay, standings,
   verdicts in words, the figures of the program until there are others. That these screens
   are accessible and narrow is tested in screens.mjs. */

import { join } from "node:path";

import { api, holds, main, open, same, startServer, tafl, test, until, visit } from "./support.mjs";

const GAMES = 60; /* more than one page of them */
const PLAYED = "ieee-4"; /* the table of which a little is played */

function prepare({ db }) {
  const tour = (game, games) => tafl("tour", game, "--players", "random,legal", "--games", String(games), "--sims", "1", "--db", db);
  tour("ticTacToe", GAMES);
  tour("connectFour", 2);
  return [];
}

/* Plays the table for a second; the exit code says that there would be more to play. */
function playSome(db) {
  try {
    tafl("lab", PLAYED, "--games", "2", "--seconds", "1", "--db", db);
  } catch (error) {
    if (error.status !== 4) throw error;
  }
}

const rows = (page) => page.locator("tbody tr");

/* The rows when the list has changed to so many. */
async function expectRows(page, count) {
  await until(async () => (await rows(page).count()) === count, `${count} rows`);
}

async function matches(server, browser) {
  const page = await open(browser, server, "#/matches");
  await test("matches: the newest first, with result and players", async () => {
    await expectRows(page, 50);
    const first = await rows(page).first().innerText();
    holds(/Connect Four/.test(first), first);
    holds(/won, 100\sto\s0|Draw, 50\seach/.test(first), first);
    holds(/random/.test(first) && /legal/.test(first), first);
  });
  await test("matches: older ones", async () => {
    await page.getByRole("button", { name: "Show older ones" }).click();
    await expectRows(page, GAMES + 2);
    holds(await page.getByRole("button", { name: "Show older ones" }).isHidden(), "there are no more");
  });
  await test("matches: a filter goes into the address", async () => {
    await page.getByRole("combobox", { name: "Game" }).selectOption("connectFour");
    await expectRows(page, 2);
    holds(page.url().endsWith("#/matches?game=connectFour"), page.url());
    await page.getByLabel("Search").fill("nobody");
    await until(async () => (await page.locator(".list-empty").count()) === 1, "nothing is found");
    holds(/text=nobody/.test(page.url()), page.url());
    await page.getByLabel("Search").fill("RAND");
    await expectRows(page, 2);
  });
  await test("matches: a filter comes from the address", async () => {
    await visit(page, "#/matches?game=connectFour&player=legal");
    await expectRows(page, 2);
    same(await page.getByRole("combobox", { name: "Game" }).inputValue(), "connectFour");
    same(await page.getByRole("combobox", { name: "Player" }).inputValue(), "legal");
    await visit(page, "#/matches?kind=page");
    await until(async () => (await page.locator(".list-empty").count()) === 1, "no match was played on the page");
  });
  await test("matches: a link leads to the replay", async () => {
    await visit(page, "#/matches?game=connectFour");
    await rows(page).first().getByRole("link").click();
    await page.waitForURL(/#\/record\/\d+$/);
    await until(async () => (await page.locator("h1").innerText()).includes("Connect Four"), "the record");
    const id = page.url().split("/").at(-1);
    const { body } = await api(server, "GET", `records/${id}`);
    same(body.kind, "record");
    same(body.steps.at(-1).state.terminal, true);
    same(body.steps.at(-1).state.goals, body.turn.goals);
  });
  await test("matches: a match that is being played stands above", async () => {
    const begun = await api(server, "POST", "matches", { game: "ticTacToe", players: ["human", "random"], start: 0.1, play: 0.1 });
    same(begun.status, 201, JSON.stringify(begun.body));
    await visit(page, "#/matches");
    const link = page.locator(`a[href="#/match/${begun.body.id}"]`);
    await link.waitFor();
    await api(server, "DELETE", `matches/${begun.body.id}`);
    await link.waitFor({ state: "detached" });
  });
  await test("matches: nothing forbidden happened", () => page.faults.join("\n"));
  await page.context().close();
}

async function tours(server, browser) {
  const page = await open(browser, server, "#/tours");
  await test("tournaments: the list", async () => {
    await expectRows(page, 2);
    const last = await rows(page).last().innerText();
    holds(last.includes("ticTacToe") && last.includes(`${GAMES} of ${GAMES}`), last);
  });
  await test("tournaments: standing, who beat whom, charts", async () => {
    await rows(page).last().getByRole("link").click();
    await page.getByRole("heading", { name: "Who beat whom" }).waitFor();
    const { body } = await api(server, "GET", `tours/${page.url().split("/").at(-1)}`);
    const best = [...body.standings].sort((a, b) => a.place - b.place)[0].agent;
    const first = await page.getByRole("region", { name: "Standing in all games" }).locator("tbody tr").first().innerText();
    holds(first.startsWith(best), `${best}: ${first}`);
    holds(first.includes(String(body.sections[0].agents.find((one) => one.agent === best).wins)), first);
    await page.locator(".list-chart").last().scrollIntoViewIfNeeded();
    await until(() => page.evaluate(() => [...document.images].every((image) => image.complete && image.naturalWidth > 0)), "charts");
    same(await page.locator(".list-chart img").count(), 3);
  });
  await test("tournaments: its matches", async () => {
    await page.getByRole("link", { name: "Look at its matches" }).click();
    await page.waitForURL(/#\/matches\?experiment=\d+$/);
    await expectRows(page, 50);
    await page.getByRole("button", { name: "Show older ones" }).click();
    await expectRows(page, GAMES);
  });
  await test("tournaments: one that is not there is said to be missing", async () => {
    await visit(page, "#/tours/999");
    holds((await page.locator("#main").innerText()).includes("There is no such tournament"), "no word of it");
    page.faults = page.faults.filter((fault) => !/404/.test(fault));
  });
  await test("tournaments: nothing forbidden happened", () => page.faults.join("\n"));
  await page.context().close();
}

/* The figures of a paper take hours to play: two are put into the server's answer. */
async function lab(server, browser) {
  const page = await open(browser, server, "#/lab");
  const { body } = await api(server, "GET", "lab");
  const { id } = body.tables.find((table) => table.cells > 3);
  await test("lab: the list says how to begin", async () => {
    await expectRows(page, body.tables.length);
    holds((await page.locator(".list-empty").innerText()).includes("tafl lab "), "the command");
  });
  await test("lab: verdicts are words, and code is code", async () => {
    const table = (await api(server, "GET", `lab/${id}`)).body;
    const cells = table.figures.flat().filter(Boolean);
    for (const cell of cells) Object.assign(cell, { games: 0, verdict: "unknown" });
    Object.assign(cells[0], { games: 60, ours: { value: 71.25, interval: 9.5 }, verdict: "differ", explanation: "Because `<b> x` and `." });
    Object.assign(cells[1], { games: 60, ours: { value: 50, interval: 9.5 }, verdict: "agree", explanation: "No cause." });
    await page.route(`**/api/lab/${id}`, (route) => route.fulfill({ json: { ...table, shipped: null, played: 2, verdicts: { agree: 1, near: 0, differ: 1 } } }));
    await visit(page, `#/lab/${id}`);
    const text = await page.locator("#main").innerText();
    for (const words of ["71.3 ±\u00a09.5", "✗ differs", "✓ agrees", "Because <b> x and `.", "not played", "1 agrees with the paper, 1 differs"])
      holds(text.includes(words), `${words} is missing`);
    same(await page.locator("td small code").allInnerTexts(), ["<b> x"]);
    holds(!text.includes("No cause."), "nothing is explained where figures agree");
  });
  await test("lab: nothing forbidden happened", () => page.faults.join("\n"));
  await page.context().close();
}

async function nothing(browser) {
  const server = await startServer();
  const page = await open(browser, server, "#/matches");
  await test("without a store: every list says how something gets there", async () => {
    for (const hash of ["#/matches", "#/tours", "#/lab"]) {
      await visit(page, hash);
      holds(/tafl (tour|lab) /.test(await page.locator(".list-empty").innerText()), hash);
    }
    return page.faults.join("\n");
  });
  await test("without a store: the tables have the figures of the program", async () => {
    const { tables } = (await api(server, "GET", "lab")).body;
    holds(tables.every((table) => table.shipped && table.played > 0), "every table has some");
    holds(/Nothing of them has been played here\. These are the figures of versions? \d.*, \d{4}-\d\d-\d\d\./.test(await page.locator(".list-empty").innerText()), "it says so");
    const row = (await rows(page).nth(0).innerText()).replace(/\s+/g, " ");
    const { title, played, cells, games, agree, near, differ } = tables[0];
    holds(row.includes(title) && row.endsWith(`${played} of ${cells} ${games} ${agree} ${near} ${differ}`), row);
    holds(!row.includes("not played here"), row);
    return page.faults.join("\n");
  });
  await test("without a store: a table with figures, verdicts and its chart", async () => {
    await visit(page, "#/lab/2010-1");
    const text = await page.locator("#main").innerText();
    holds(/Nothing of it has been played here\. These are the figures of versions? \d.*, \d{4}-\d\d-\d\d\. To play it: tafl lab 2010-1/.test(text), text.slice(0, 600));
    for (const words of ["Ours", "✓ agrees", "✗ differs", "Mean of the rows"]) holds(text.includes(words), `${words} is missing`);
    await page.locator(".list-chart").last().scrollIntoViewIfNeeded();
    await until(() => page.evaluate(() => document.images.length > 0 && [...document.images].every((image) => image.complete && image.naturalWidth > 0)), "the chart");
    holds((await page.locator(".list-notes code").count()) > 0 && !(await page.locator(".list-notes").innerText()).includes("`"), "code in the notes");
    return page.faults.join("\n");
  });
  await test("after some games: the table has figures of its own, the others say that they do not", async () => {
    playSome(join(server.work, "store.db"));
    const tables = await until(async () => {
      const all = (await api(server, "GET", "lab")).body.tables;
      return all.some((table) => !table.shipped) && all; /* answers are kept for some seconds */
    }, "figures of the store");
    same(tables.filter((table) => !table.shipped).map((table) => table.id), [PLAYED]);
    const { played, cells, games, title } = tables.find((table) => table.id === PLAYED);
    await visit(page, "#/lab");
    same(await rows(page).filter({ hasText: "not played here" }).count(), tables.length - 1);
    const row = (await rows(page).filter({ hasText: title }).innerText()).replace(/\s+/g, " ");
    holds(row.includes(`${played} of ${cells} ${games} `), row);
    same(await page.locator(".list-empty").count(), 0);
    await visit(page, `#/lab/${PLAYED}`);
    const text = await page.locator("#main").innerText();
    holds(text.includes("Here") && text.includes("To play more: tafl lab") && !text.includes("These are the figures of"), text.slice(0, 600));
    return page.faults.join("\n");
  });
  await page.context().close();
}

await main(async ({ server, browser }) => {
  await matches(server, browser);
  await tours(server, browser);
  await lab(server, browser);
  await nothing(browser);
}, { prepare });
