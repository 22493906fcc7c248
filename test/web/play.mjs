/* Play and Match: whole games by clicks, touch and keys, alone, in turn and at once;
   hints, taking back, resigning, review; watching agents think. Clocks are short, and most
   opponents play at random. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api, holds, main, open, root, same, test, until, visit } from "./support.mjs";

const THREE = join(root, "test/web/three.kif");

/* Begins a match; -> its id. */
async function begin(server, body) {
  const answer = await api(server, "POST", "matches", { start: 0.2, play: 0.2, ...body });
  same(answer.status, 201, `begin: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
}

const matchOf = async (server, id) => (await api(server, "GET", `matches/${id}`)).body;
const sentence = (page) => page.locator(".match-say").textContent();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const steps = (page) => page.locator(".steps-move").count();
const place = (page) => page.locator(".stepper-place").textContent();

/* Waits for a choice or the end; -> true if there is a choice. */
async function asked(page) {
  await page.waitForFunction(() => document.querySelector(".match-yours, .match[data-phase=over]"));
  return (await page.locator(".match-yours").count()) > 0;
}

/* What the server offers to a role, once the page offers it too. */
async function legal(server, page, id, role = 0) {
  const { turn } = await until(async () => {
    const match = await matchOf(server, id);
    return match.turn.legal[role] ? match : null;
  }, "legal moves");
  return turn.legal[role];
}

const first = (element) => (Array.isArray(element) ? element[0] : element);

/* Clicks (or taps) the places of a move, and the menu if there is one. */
async function click(page, move, act = "click") {
  for (const element of move.path) await page.locator(`.board-hit[data-place="${first(element)}"]`).first()[act]();
  const menu = page.locator(".chooser-item", { hasText: move.say });
  if (await menu.count()) await menu.first().click();
}

/* Waits until the page shows n steps. */
async function reached(page, n) {
  await page.waitForFunction((least) => Number(document.querySelector(".stepper-slider")?.max ?? 0) >= least, n);
}

/* Plays by clicks to the end; choose(moves) -> the move. Two moves are made for each click
   in games for two, since the other one answers. */
async function playOut(server, page, id, choose, act) {
  for (let turn = 0; turn < 100 && (await asked(page)); turn++) {
    const before = (await matchOf(server, id)).turn.step;
    await click(page, choose(await legal(server, page, id)), act);
    await reached(page, before + 1);
  }
  return (await matchOf(server, id)).turn;
}

async function ticTacToe(server, browser) {
  const page = await open(browser, server, "#/play/ticTacToe?agent=random&play=0.2&start=0.2");
  await test("Play begins a match at once and gives it its place in the history", async () => {
    await page.waitForFunction(() => location.hash.startsWith("#/match/"));
    holds(await asked(page), "a choice");
    same(await page.locator("h1").textContent(), "Tic-Tac-Toe");
    same(await sentence(page), "Your move.");
    same(await page.title(), "Tic-Tac-Toe – Tafl");
  });
  const id = await page.evaluate(() => location.hash.split("/")[2]);
  await test("a whole game of tic-tac-toe by clicks", async () => {
    const { goals } = await playOut(server, page, id, (moves) => moves[0]);
    const words = { 100: "You won, 100 to 0.", 50: "A draw, 50 to 50.", 0: "You lost, 0 to 100." };
    same(await sentence(page), words[goals[0]]);
    same(await page.locator(".seat-state").allTextContents(), goals.map((goal) => `${goal} points`));
    holds((await page.locator("#live").textContent()).endsWith(words[goals[0]]), "the end is announced");
  });
  await review(page);
  await test("playing again begins another match", async () => {
    await button(page, "Play again").click();
    await page.waitForFunction((old) => !location.hash.endsWith(old), id);
    holds(await asked(page), "a choice");
    same(await steps(page), 0);
  });
  await test("swapped sides: the other one begins", async () => {
    await page.locator(".moves-item").first().click();
    await reached(page, 2);
    await button(page, "Resign").click();
    await button(page, "Yes, give up").click();
    await button(page, "Swap sides").click();
    await page.waitForFunction(() => document.querySelector(".match-line")?.textContent.startsWith("You play o"));
    await reached(page, 1);
  });
  await test("nothing went wrong in tic-tac-toe", () => page.faults.join("\n"));
  await page.context().close();
}

async function review(page) {
  const end = Number(await page.locator(".stepper-slider").getAttribute("max"));
  await test("the review begins at the beginning and steps by keys", async () => {
    await button(page, "Review").click();
    await page.waitForFunction(() => document.querySelector(".stepper-place").textContent.startsWith("0 /"));
    for (const [key, at] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", end], ["Home", 0], ["ArrowLeft", 0]]) {
      await page.keyboard.press(key);
      await page.waitForFunction((text) => document.querySelector(".stepper-place").textContent === text, `${at} / ${end}`);
    }
    same(await page.locator(".board-view .piece").count(), 0, "pieces at the beginning");
  });
  await test("the list of moves, the slider and the play button go to steps", async () => {
    await page.locator(".steps-move").nth(2).click();
    await page.waitForFunction((text) => document.querySelector(".stepper-place").textContent === text, `3 / ${end}`);
    same(await page.locator('[aria-current="step"]').getAttribute("data-step"), "3");
    await page.locator(".stepper-slider").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((text) => document.querySelector(".stepper-place").textContent === text, `4 / ${end}`);
    await page.locator("h1").click();
    await page.keyboard.press("Space");
    await page.waitForFunction((text) => document.querySelector(".stepper-place").textContent === text, `${end} / ${end}`);
  });
}

/* The move that comes furthest. */
function furthest(moves) {
  const ahead = ({ path: [from, to] }) => (to > from ? to : 64 - to);
  return moves.reduce((best, move) => (ahead(move) > ahead(best) ? move : best));
}

async function breakthrough(server, browser) {
  const id = await begin(server, { game: "breakthrough", players: ["human", "random"], seed: "7" });
  const page = await open(browser, server, `#/match/${id}`);
  await test("a whole game of breakthrough by clicks", async () => {
    const { goals } = await playOut(server, page, id, furthest);
    same(goals, [100, 0], "goals");
    same(await sentence(page), "You won, 100 to 0.");
  });
  await test("nothing went wrong in breakthrough", () => page.faults.join("\n"));
  await page.context().close();
}

async function helps(server, browser) {
  const id = await begin(server, { game: "breakthrough", players: ["human", "random"] });
  const page = await open(browser, server, `#/match/${id}`);
  await asked(page);
  await test("a hint is shown on the board and in words", async () => {
    await button(page, "Hint").click();
    await page.waitForSelector(".match-advice:not([hidden])");
    holds(/^Hint: .* looks best/.test(await page.locator(".match-advice").textContent()), "advice");
    await page.waitForSelector(".heat-patch, .heat-arrow", { state: "attached" });
  });
  await test("a move by dragging, and one from the list", async () => {
    const [move] = await legal(server, page, id);
    const [from, to] = move.path.map((n) => page.locator(`.board-hit[data-place="${n}"]`));
    await from.dragTo(to);
    await reached(page, 2);
    same((await matchOf(server, id)).steps[1].moves[0].move, move.move);
    await asked(page);
    const item = page.locator(".moves-item").nth(1);
    const words = await item.textContent();
    await item.click();
    await reached(page, 4);
    same((await matchOf(server, id)).steps[3].moves[0].say, words);
  });
  await test("the list of moves can be searched, and keeps the focus", async () => {
    await asked(page);
    const moves = await legal(server, page, id);
    await page.getByLabel("Search moves").fill(moves[3].say);
    await page.waitForFunction((all) => document.querySelectorAll(".moves-item").length < all, moves.length);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await reached(page, 6);
    await asked(page);
    holds(await page.evaluate(() => Boolean(document.activeElement.closest(".moves"))), "the focus is still in the list");
  });
  await test("taking back returns to one's last choice", async () => {
    await button(page, "Take back").click();
    await page.waitForFunction(() => document.querySelectorAll(".steps-move").length === 4);
    holds(await asked(page), "a choice");
    same((await matchOf(server, id)).turn.step, 4);
  });
  await test("looking back at a match that goes on says so", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("Home");
    await page.waitForSelector(".match-now:not([hidden])");
    same(await page.locator(".board-hit.is-open").count(), 0, "places to click");
    await button(page, "Back to now").click();
    await page.waitForSelector(".match-now", { state: "hidden" });
    same(await place(page), "4 / 4");
  });
  await test("resigning asks once", async () => {
    await button(page, "Resign").click();
    await button(page, "No, play on").click();
    same(await sentence(page), "Your move.");
    await button(page, "Resign").click();
    await button(page, "Yes, give up").click();
    await page.waitForFunction(() => document.querySelector(".match-say").textContent === "You resigned.");
  });
  await test("nothing went wrong with hint, take back and resign", () => page.faults.join("\n"));
  await page.context().close();
}

async function atOnce(server, browser) {
  const page = await open(browser, server);
  const id = await begin(server, { game: "ticTicToe", players: ["human", "tafl"], play: 4 });
  await visit(page, `#/match/${id}`);
  await test("at once: a choice can be made and changed while others think", async () => {
    await page.waitForFunction(() => /^Your move\. All choose at once\./.test(document.querySelector(".match-say").textContent));
    const moves = await legal(server, page, id);
    await click(page, moves[0]);
    await page.waitForFunction((say) => document.querySelector(".match-say").textContent.startsWith(`You chose ${say};`), moves[0].say);
    await click(page, moves[4]);
    await page.waitForFunction((say) => document.querySelector('.moves-item[aria-pressed="true"]')?.textContent === say, moves[4].say);
    await reached(page, 1);
    same((await matchOf(server, id)).steps[1].moves[0].move, moves[4].move);
  });
  await test("nothing went wrong with choices at once", () => page.faults.join("\n"));
  await page.context().close();
}

async function hotSeat(server, browser) {
  const id = await begin(server, { game: "ticTicToe", players: ["human", "human"] });
  const page = await open(browser, server, `#/match/${id}`);
  await test("two persons at one page choose one after the other, unseen, to the end", async () => {
    for (let step = 0; step < 6 && (await asked(page)); step++) {
      const moves = await legal(server, page, id);
      await page.waitForFunction(() => /^Waiting for x and o/.test(document.querySelector(".match-say").textContent));
      await click(page, moves[0]);
      await page.waitForFunction(() => /^Waiting for o/.test(document.querySelector(".match-say").textContent));
      same(await page.locator('.moves-item[aria-pressed="true"]').count(), 0, "no choice is shown");
      same(await page.locator(".seat-state").first().textContent(), "has chosen");
      await click(page, moves[1]);
      await reached(page, step + 1);
    }
    const { turn } = await matchOf(server, id);
    same(turn.phase, "over");
    same(await page.locator(".seat-state").allTextContents(), turn.goals.map((goal) => `${goal} points`));
  });
  await test("nothing went wrong with two persons", () => page.faults.join("\n"));
  await page.context().close();
}

const PLAN = ["a", "b", "c", "a", "b", "a"];

async function puzzle(server, browser) {
  const page = await open(browser, server, "#/play/buttons?start=0.2");
  await test("a puzzle is played alone and solved", async () => {
    await page.waitForFunction(() => location.hash.startsWith("#/match/"));
    const id = await page.evaluate(() => location.hash.split("/")[2]);
    for (const [step, name] of PLAN.entries()) {
      await asked(page);
      const moves = await legal(server, page, id);
      const move = moves.find((one) => new RegExp(`\\b${name}\\b`).test(one.move));
      await page.locator(".moves-item", { hasText: move.say }).first().click();
      await reached(page, step + 1);
    }
    await page.waitForFunction(() => document.querySelector(".match-say").textContent === "Solved, 100 of 100 points!");
    same(await page.locator(".match-line").textContent(), "You play alone.");
  });
  await test("nothing went wrong in the puzzle", () => page.faults.join("\n"));
  await page.context().close();
}

async function three(server, browser) {
  const id = await begin(server, { rules: readFileSync(THREE, "utf8"), players: ["random", "human", "random"] });
  const page = await open(browser, server, `#/match/${id}`);
  await test("a game for three, from rules of one's own", async () => {
    for (let turn = 0; turn < 3 && (await asked(page)); turn++) {
      const moves = await legal(server, page, id, 1);
      await click(page, moves.at(-1));
      await reached(page, 3 * turn + 2);
    }
    const { turn } = await until(async () => {
      const match = await matchOf(server, id);
      return match.turn.phase === "over" ? match : null;
    }, "the end");
    await page.waitForFunction(() => /^(You (won|lost|share)|A draw)/.test(document.querySelector(".match-say").textContent));
    same(await page.locator(".seat-name").allTextContents(), ["red", "green", "blue"]);
    same(await page.locator(".seat-state").allTextContents(), turn.goals.map((goal) => `${goal} points`));
    same((await page.locator(".steps-joint").count()), 6, "rows of moves");
    holds((await page.locator(".steps-move").nth(1).textContent()).startsWith("green: "), "moves name their role");
  });
  await test("nothing went wrong with three", () => page.faults.join("\n"));
  await page.context().close();
}

async function watching(server, browser) {
  const id = await begin(server, { game: "connectFour", players: ["tafl", "tafl"], play: 0.7 });
  const page = await open(browser, server, `#/match/${id}`);
  await test("thoughts of agents arrive while they think", async () => {
    await button(page, "What is it thinking?").click();
    await page.waitForFunction(() => [...document.querySelectorAll(".thought-moves tbody tr")].filter((row) => !row.hidden).length > 2);
    const words = () => page.locator(".thought-figures").textContent();
    const before = await words();
    await page.waitForFunction((old) => document.querySelector(".thought-figures").textContent !== old, before);
    await page.waitForSelector(".heat-patch, .heat-arrow", { state: "attached" });
    same(await page.locator(".moves").isVisible(), false, "nothing to choose");
  });
  await test("steps arrive and the chart grows", async () => {
    await reached(page, 2);
    const length = () => page.evaluate(() => document.querySelector(".chart-line").getAttribute("d").length);
    const before = await length();
    await reached(page, 4);
    await page.waitForFunction((old) => document.querySelector(".chart-line").getAttribute("d").length > old, before);
    holds(/red \d/.test(await page.locator(".chart-picture").getAttribute("aria-valuetext")), "values in words");
    await page.locator(".chart-picture").focus();
    await page.keyboard.press("Home");
    await page.waitForSelector(".match-now:not([hidden])");
  });
  await test("a match that is ended elsewhere says so", async () => {
    same((await api(server, "DELETE", `matches/${id}`)).status, 200);
    await page.waitForFunction(() => /This match has ended/.test(document.querySelector(".match-notice").textContent));
  });
  await test("an address of no match leads on", async () => {
    await visit(page, "#/match/nothing");
    same(await page.locator("h1").textContent(), "This match is gone");
    await visit(page, "#/play/noSuchGame");
    same(await page.locator("h1").textContent(), "There is no such game");
  });
  await test("nothing went wrong while watching", () => page.faults.filter((fault) => !/404/.test(fault)).join("\n"));
  await page.context().close();
}

async function apart(server, browser) {
  const id = await begin(server, { game: "ticTacToe", players: ["human", "human"] });
  const pages = [await open(browser, server, `#/match/${id}?role=0`), await open(browser, server, `#/match/${id}?role=1`), await open(browser, server, `#/match/${id}?watch`)];
  await test("two persons play each other at two pages, a third one watches", async () => {
    for (let step = 0; step < 4; step++) {
      const page = pages[step % 2];
      await asked(page);
      same(await sentence(page), "Your move.");
      same(await pages[1 - (step % 2)].locator(".board-hit.is-open").count(), 0, "places of the other one");
      await page.locator(".moves-item").first().click();
      await Promise.all(pages.map((each) => reached(each, step + 1)));
    }
    same(await pages[2].locator(".board-hit.is-open").count(), 0, "places of the third one");
    same(await pages[2].locator(".match-say").textContent(), "Waiting for x.");
  });
  await test("nothing went wrong at three pages", () => pages.flatMap((page) => page.faults).join("\n"));
  for (const page of pages) await page.context().close();
}

/* Presses a key until the focus is where it should be. */
async function press(page, key, there, most = 60) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate(there)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${there}`);
}

async function keyboard(server, browser) {
  const page = await open(browser, server);
  await page.evaluate(() => localStorage.setItem("tafl-choices", '{"start": 0.2, "play": 0.2, "games": {}}'));
  await page.waitForSelector(".card");
  await test("keyboard alone: from Home to the end of tic-tac-toe", async () => {
    await press(page, "Tab", () => document.activeElement.type === "search");
    await page.keyboard.type("tic-tac-toe");
    await press(page, "Tab", () => document.activeElement.getAttribute("href") === "#/play/ticTacToe");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.startsWith("#/match/"));
    await asked(page);
    await press(page, "Tab", () => document.activeElement.classList.contains("board-hit"));
    for (let turn = 0; turn < 5 && (await asked(page)); turn++) {
      const before = await steps(page);
      const keys = ["Home", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "ArrowRight", "ArrowRight", "ArrowDown", "Home", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp"];
      for (const key of keys) {
        if (await page.evaluate(() => document.activeElement.classList.contains("is-open"))) break;
        await page.keyboard.press(key);
      }
      await page.keyboard.press("Enter");
      await page.waitForFunction((old) => document.querySelectorAll(".steps-move").length > old, before);
      holds(await page.evaluate(() => document.activeElement.classList.contains("board-hit")), "the focus stays on the board");
    }
    holds(/^(You (won|lost)|A draw)/.test(await sentence(page)), await sentence(page));
  });
  await test("nothing went wrong with the keyboard", () => page.faults.join("\n"));
  await page.context().close();
}

async function touch(server, browser) {
  const id = await begin(server, { game: "ticTacToe", players: ["human", "random"] });
  const page = await open(browser, server, `#/match/${id}`, { width: 360, height: 740, hasTouch: true, isMobile: true });
  await test("a narrow screen: everything fits, and one plays by touch", async () => {
    await asked(page);
    const { turn } = await matchOf(server, id);
    same(turn.asked, [0]);
    const board = await page.locator(".board-picture").boundingBox();
    holds(board.y + board.height < 740 && board.width > 250, `the board is in sight: ${JSON.stringify(board)}`);
    const bar = await page.locator(".actions").boundingBox();
    holds(bar.y + bar.height <= 741, `the bar is at the lower edge: ${JSON.stringify(bar)}`);
    same((await playOut(server, page, id, (moves) => moves[0], "tap")).phase, "over");
    same(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, "pixels too wide");
  });
  await test("nothing went wrong on the narrow screen", () => page.faults.join("\n"));
  await page.context().close();
}

/* The match that is kept up to date from events, without a server. */
async function model(server, browser) {
  const page = await open(browser, server);
  const found = await page.evaluate(async () => {
    const { applied, expectations, matchOf, rowsOf, thoughtsAt } = await import(new URL("script/match/model.js", location.href).href);
    const role = (name) => ({ name, player: "tafl" });
    const move = (say) => ({ move: say, say, board: null, path: [] });
    const thought = (step, r, value) => ({ step, role: r, value, values: null, moves: [] });
    const state = (goals) => ({ cells: [], goals });
    const turn = { phase: "playing", step: 0, thinking: [], asked: [], chosen: [], legal: [[move("a")], null], goals: null };
    const step = (number, moves, idle, thoughts, goals = null) => ({ number, moves: moves.map(move), idle, thoughts, state: state(goals) });
    let match = matchOf({ head: { sum: 100, roles: [role("x"), role("o")] }, steps: [{ number: 0, moves: null, idle: [false, false], state: state(null), thoughts: [] }], turn, live: [] });
    const legal = match.turn.legal[0];
    match = applied(match, "turn", { ...turn, legal: [[move("a")], null] });
    const kept = match.turn.legal[0] === legal;
    match = applied(match, "live", thought(5, 0, 1));
    const stale = thoughtsAt(match, 0).length;
    match = applied(match, "live", thought(0, 0, 60));
    const live = expectations(match);
    match = applied(match, "step", step(1, ["a", "noop"], [false, true], [thought(0, 0, 70), null]));
    match = applied(match, "step", step(2, ["noop", "b"], [true, false], [null, thought(1, 1, 80)]));
    match = applied(match, "step", step(3, ["c", "noop"], [false, true], [null, null], [100, 0]));
    const all = expectations(match);
    const rows = rowsOf(match).map((row) => row.cells.map((cell) => cell.move.say));
    const back = applied(match, "back", { step: 1 }).steps.length;
    return { kept, stale, live, all, rows, back };
  });
  await test("a match follows its events", () => same(found, {
    kept: true, stale: 0, live: [{ step: 0, values: [60, 40] }],
    all: [{ step: 0, values: [70, 30] }, { step: 1, values: [20, 80] }, { step: 3, values: [100, 0] }],
    rows: [["a", "b"], ["c"]], back: 2,
  }));
  await page.context().close();
}

await main(async ({ server, browser }) => {
  const parts = { model, ticTacToe, breakthrough, helps, atOnce, hotSeat, puzzle, three, watching, apart, keyboard, touch };
  const named = process.argv.slice(2); /* only these, when looking for a fault */
  for (const [name, part] of Object.entries(parts)) if (!named.length || named.includes(name)) await part(server, browser);
});
