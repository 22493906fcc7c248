/* The screens Try and Players, and boards drawn by a game's own stylesheet: errors at
   their lines while somebody types, texts and players that mean harm. */

import { createServer } from "node:http";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { api, holds, main, open, ready, root, same, test, until, visit } from "./support.mjs";

const HOSTILE = readFileSync(join(root, "test/web/hostile.kif"), "utf8");
const SHEET = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:template match="/"><div><script>parent.hacked = 1; top.location = "about:blank";</script>
  <img src="x" onerror="parent.hacked = 1"/>
  <p id="count"><xsl:value-of select="count(//fact[relation = 'cell'])"/> cells</p></div></xsl:template>
</xsl:stylesheet>`;

function prepare({ work }) {
  const sheets = join(work, "sheets");
  mkdirSync(sheets);
  writeFileSync(join(sheets, "ticTacToe.xsl"), SHEET);
  return ["--stylesheet", sheets];
}

const says = (page, text) => page.getByText(text).first().waitFor();
/* As if it were pasted: fill() types line by line. */
const put = (page, text) => page.locator(".editor-area").evaluate((area, value) => {
  area.value = value;
  area.dispatchEvent(new Event("input", { bubbles: true }));
}, text);
/* Numbers of the lines with errors. */
const marked = (page) => page.$$eval(".editor .gdl-line", (lines) => lines.flatMap((line, at) => (line.classList.contains("error") ? [at + 1] : [])));

async function writing(server, browser) {
  const page = await open(browser, server, "#/try");

  await test("it begins with a small game that can be played", async () => {
    await says(page, "Yes, it can be played.");
    same(await page.locator(".try-board svg").count() > 0, true, "a board");
    holds(await page.getByRole("button", { name: "Play it" }).isEnabled(), "it can be played");
    same(await marked(page), [], "marks");
  });

  await test("an error is shown at its line while one types", async () => {
    const area = page.locator(".editor-area");
    await area.focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("; \u{1f600} a comment\n(<= (lost ?z) three)\n");
    await says(page, "Not yet: 1 error and 1 warning.");
    same(await marked(page), [2], "marked lines");
    same(await page.locator(".editor .wrong").allTextContents(), ["?z"], "what is underlined");
    holds(await page.getByRole("button", { name: "Play it" }).isDisabled(), "it cannot be played");
    holds((await area.getAttribute("aria-describedby")) === (await page.locator(".try-status").getAttribute("id")), "described by the status");
  });

  await test("the list leads to the place", async () => {
    await page.getByRole("button", { name: /Error, line 2/ }).click();
    const chosen = await page.locator(".editor-area").evaluate((area) => [document.activeElement === area, area.value.slice(area.selectionStart, area.selectionEnd)]);
    same(chosen, [true, "?z"]);
  });

  await test("what is put right is no longer marked", async () => {
    await page.keyboard.type("50");
    await says(page, "Yes, with 1 warning.");
    same(await page.locator(".editor .gdl-line.error").count(), 0, "errors");
  });

  await test("the last text wins", async () => {
    await put(page, "(role x");
    await page.waitForTimeout(320);
    await put(page, "(role x) (init");
    await page.waitForTimeout(350);
    const rules = "(role x)\n(legal x a)\n(<= terminal (true b))\n(goal x 1)\n(init b)\n\n(oops ?x)";
    await put(page, rules);
    await until(async () => JSON.stringify(await marked(page)) === "[7]", "the mark of the last text");
    await page.waitForTimeout(700);
    same(await marked(page), [7], "later");
  });

  await test("the draft is there again after a reload", async () => {
    await page.reload();
    await ready(page);
    holds((await page.locator(".editor-area").inputValue()).endsWith("(oops ?x)"), "the text");
    await until(async () => JSON.stringify(await marked(page)) === "[7]", "its mark");
  });

  await test("a game of the library can be put in, and the text had back", async () => {
    await visit(page, "#/try?game=nim");
    await says(page, "Yes, it can be played.");
    holds((await page.locator(".editor-area").inputValue()).startsWith(";; Nim"), "Nim");
    await page.getByRole("button", { name: "My text again" }).click();
    holds((await page.locator(".editor-area").inputValue()).endsWith("(oops ?x)"), "the draft");
  });

  await test("a long text is drawn line by line", async () => {
    const rules = Array.from({ length: 3000 }, (_, at) => `(fact ${at})`).join("\n");
    await put(page, rules);
    same(await page.locator(".editor .gdl-line").count(), 3000, "lines");
    const alike = await page.evaluate(() => [...document.querySelectorAll(".editor .gdl-line")].map((line) => line.textContent).join("") === `${document.querySelector(".editor-area").value}\n`);
    holds(alike, "picture and text are the same");
  });

  await test("what was written can be played", async () => {
    await page.getByLabel("Put in a game").selectOption("=example");
    await says(page, "Yes, it can be played.");
    await page.getByRole("button", { name: "Play it" }).click();
    await page.waitForFunction(() => location.hash.startsWith("#/match/"));
    await ready(page);
    const id = new URL(page.url()).hash.slice("#/match/".length);
    const match = await until(async () => {
      const { body } = await api(server, "GET", `matches/${id}`);
      return body.turn?.phase === "playing" ? body : null;
    }, "the match");
    same(match.head.roles.map((role) => role.name), ["first", "second"]);
  });
  same(page.faults, [], "faults of the page");
  await page.context().close();
}

async function hostileText(server, browser) {
  await test("a hostile text does nothing and is shown as text", async () => {
    const page = await open(browser, server, "#/try");
    await put(page, `${HOSTILE}\n(<img/src=x/onerror=hacked=1> ?x "</textarea><script>hacked=1</script>)\n`);
    await says(page, "Not yet: 1 error and 1 warning.");
    holds((await page.locator(".try-list").textContent()).includes("<img/src=x/onerror=hacked=1>"), "named in the list");
    holds((await page.locator(".editor-back").textContent()).includes("</textarea><script>"), "shown in the editor");
    await put(page, HOSTILE);
    await says(page, /^Yes/);
    await page.waitForTimeout(300);
    same(await page.evaluate(() => ["hacked" in window, document.querySelectorAll("main script, main img, main [onerror], main [onload]").length]), [false, 0]);
    same(page.faults, [], "faults of the page");
    await page.context().close();
  });
}

/* A player that answers everything with markup. */
function startVillain() {
  return new Promise((resolve) => {
    const villain = createServer((request, response) => response.end("<script>hacked=1</script><img src=x onerror=hacked=1>"));
    villain.listen(0, "127.0.0.1", () => resolve(villain));
  });
}

async function players(server, browser) {
  const page = await open(browser, server, "#/players");
  const field = page.getByLabel("Address of a player");
  const add = async (text) => {
    await field.fill(text);
    await page.getByRole("button", { name: "Add" }).click();
  };

  await test("an address is added, kept, and can be removed", async () => {
    for (const wrong of ["", "not an address", "ftp://host", "http://"]) {
      await add(wrong);
      await says(page, "This is not an address.");
    }
    await add("example.invalid:9147");
    await page.reload();
    await ready(page);
    same(await page.locator(".players-url").allTextContents(), ["http://example.invalid:9147"]);
    await page.getByRole("button", { name: "Remove http://example.invalid:9147" }).click();
    same(await page.locator(".players-url").count(), 0);
  });

  await test("a good player is found to be one", async () => {
    await add(server.url);
    await page.getByRole("button", { name: "Test" }).click();
    await page.locator(".players-verdict").waitFor({ timeout: 90000 });
    const verdict = await page.locator(".players-verdict").textContent();
    holds(Number(/(\d+) right/.exec(verdict)[1]) > 25, verdict); /* a busy machine may be late */
  });

  await test("a hostile player is wrong, and does nothing", async () => {
    const villain = await startVillain();
    await page.evaluate(() => localStorage.setItem("tafl-players", "[]"));
    await visit(page, "#/players");
    await add(`127.0.0.1:${villain.address().port}`);
    await page.getByRole("button", { name: "Test" }).click();
    await page.locator(".players-verdict.bad").waitFor({ timeout: 90000 });
    holds((await page.locator(".players-result").textContent()).includes("<script>hacked=1</script>"), "its words");
    same(await page.evaluate(() => ["hacked" in window, document.querySelectorAll("main script, main img").length]), [false, 0]);
    villain.close();
  });
  same(page.faults, [], "faults of the page");

  await test("where nobody answers, it says so", async () => {
    await page.evaluate(() => localStorage.setItem("tafl-players", '["http://127.0.0.1:1"]'));
    await visit(page, "#/players");
    await page.getByRole("button", { name: "Test" }).click();
    await says(page, /Nobody answers there/);
  });
  await page.context().close();
}

async function ownPicture(server, browser) {
  await test("a stylesheet draws the board in a frame that may do nothing", async () => {
    const { body } = await api(server, "POST", "matches", { game: "ticTacToe", players: ["human", "random"], start: 0.2, play: 0.2 });
    const page = await open(browser, server, `#/match/${body.id}`);
    const name = await page.title();
    await page.getByRole("button", { name: "The game's own picture" }).click();
    const frame = page.frameLocator("iframe");
    same(await frame.locator("#count").textContent(), "9 cells");
    await page.waitForTimeout(300);
    same(await page.evaluate(() => "hacked" in window), false, "its script");
    same(await page.title(), name, "the page");
    holds((await page.locator("iframe").getAttribute("sandbox")) === "", "the frame has no rights");
    await page.context().close();
  });
}

await main(async ({ server, browser }) => {
  /* Pings mostly wait. */
  const pinging = players(server, browser);
  await writing(server, browser);
  await hostileText(server, browser);
  await ownPicture(server, browser);
  await pinging;
}, { prepare });
