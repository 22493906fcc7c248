/* The frame of the page and the screens Home and Game: the words at the beginning, search
   and filters, the keyboard, both colours, a server that goes away, one that wants a
   token, and addresses that lead nowhere. */

import { api, holds, main, open, ready, same, test, until, visit } from "./support.mjs";

const shownCards = (page) => page.locator(".card:visible").count();

async function home(server, browser) {
  const page = await open(browser, server);
  await page.waitForSelector(".card");

  await test("one click begins a game", async () => {
    const link = page.getByRole("link", { name: "Play Breakthrough now" });
    same(await link.getAttribute("href"), "#/play/breakthrough");
  });

  await test("boards of all games are drawn by and by", async () => {
    const { games } = await until(async () => {
      const { body } = await api(server, "GET", "games");
      return body.games.every((game) => game.scene || game.error) ? body : null;
    }, "scenes of all games", 120000);
    await page.waitForFunction((all) => document.querySelectorAll(".card").length === all, games.length);
    await page.waitForFunction(() => !document.querySelector(".hero .picture-plain"), null, { timeout: 60000 });
  });

  await test("search and filters", async () => {
    const all = await shownCards(page);
    await page.getByLabel("Search").fill("othello");
    same(await shownCards(page), 1, "cards with othello");
    await page.getByLabel("Search").fill("no such game as this");
    same(await shownCards(page), 0, "cards with nonsense");
    holds(await page.getByText("No game fits").isVisible(), "it says that there is none");
    await page.getByLabel("Search").fill("");
    await page.getByRole("button", { name: "Puzzles", exact: true }).click();
    const puzzles = await shownCards(page);
    holds(puzzles > 0 && puzzles < all, `${puzzles} puzzles of ${all}`);
    await page.getByRole("button", { name: "All", exact: true }).click();
    same(await shownCards(page), all, "all cards again");
  });

  await test("with the keyboard alone from the top to a game's rules", async () => {
    await page.reload();
    await page.waitForSelector(".card");
    await page.keyboard.press("Tab");
    same(await page.evaluate(() => document.activeElement.id), "skip", "the first stop");
    await page.keyboard.press("Enter");
    same(await page.evaluate(() => document.activeElement.id), "main", "after skipping");
    await page.keyboard.press("Tab");
    same(await page.evaluate(() => document.activeElement.textContent), "Play Breakthrough now", "the next stop");
    const stops = new Set();
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
      stops.add(name);
      if (/^Rules of/.test(name)) break;
    }
    holds(stops.has("Puzzles") && [...stops].some((name) => /^Play /.test(name)), [...stops].join(", "));
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.startsWith("#/games/"));
    await page.waitForFunction(() => document.querySelector(".game h1") === document.activeElement);
  });

  await test("going back returns to the place", async () => {
    await visit(page, "#/");
    await page.waitForSelector(".card");
    await page.evaluate(() => scrollTo(0, 900));
    await page.waitForTimeout(100);
    await visit(page, "#/games/breakthrough");
    same(await page.evaluate(() => scrollY), 0, "at the top of the next screen");
    await page.goBack();
    await page.waitForFunction(() => scrollY === 900);
  });

  await test("nothing went wrong on Home", () => page.faults.join("\n"));
  await page.context().close();
}

async function game(server, browser) {
  const page = await open(browser, server, "#/games/breakthrough");
  await test("a game's screen has words, facts, the form and the rules in colours", async () => {
    same(await page.locator("h1").textContent(), "Breakthrough");
    same(await page.title(), "Breakthrough – Tafl");
    holds((await page.locator(".game-words p").first().textContent()).startsWith("Two players"), "words");
    holds((await page.locator(".facts dt").count()) > 4, "facts");
    holds((await page.locator(".gdl-word").count()) > 20, "colours");
    same(await page.locator(".choices select").first().inputValue(), "human", "the first role is yours");
    const { body } = await api(server, "GET", "games/breakthrough");
    same((await page.locator("pre.gdl").textContent()).trimEnd(), body.rules.trimEnd(), "the text is whole");
  });
  await test("sides can be changed, and an address must be one", async () => {
    await page.getByRole("button", { name: "Change sides" }).click();
    same(await page.locator(".choices select").nth(1).inputValue(), "human");
    await page.locator(".choices select").first().selectOption("http");
    await page.locator(".choices input").first().fill("nowhere");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    holds(await page.getByText("begins with http://").isVisible(), "a sentence says so");
    same(await page.evaluate(() => location.hash), "#/games/breakthrough", "nothing began");
  });
  await test("nothing went wrong on the screen", () => page.faults.join("\n"));
  await page.context().close();
}

async function colours(server, browser) {
  const page = await open(browser, server, "#/", { scheme: "dark" });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await test("colours follow the system until someone chooses, and the choice stays", async () => {
    const dark = await paper();
    await page.getByRole("button", { name: "Use light colours" }).click();
    const light = await paper();
    holds(dark !== light, `${dark} and ${light}`);
    await page.reload();
    await ready(page);
    same(await paper(), light, "after loading again");
  });
  await page.context().close();
}

async function problems(server, browser) {
  const page = await open(browser, server, "#/no/such/page");
  await test("an address that leads nowhere says so and leads home", async () => {
    same(await page.locator("h1").textContent(), "There is no such page");
    await page.getByRole("link", { name: "To the games" }).click();
    await page.waitForSelector(".hero");
    await visit(page, "#/games/%E0%A4%A");
    same(await page.locator("h1").textContent(), "There is no such page", "an address that cannot be read");
    await visit(page, "#/games/noSuchGame");
    same(await page.locator("h1").textContent(), "This did not work", "a game that is not there");
  });
  await test("a server that is gone is missed and found again", async () => {
    await visit(page, "#/");
    await page.route("**/api/**", (route) => route.abort());
    await page.waitForSelector("#banner:not([hidden])");
    await page.unroute("**/api/**");
    await page.waitForSelector("#banner", { state: "hidden" });
  });
  await page.context().close();
}

async function token(server, browser) {
  const page = await open(browser, server, "#/games/breakthrough");
  const seen = [];
  await page.route("**/api/matches", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    seen.push(request.headers().authorization ?? "");
    if (seen.at(-1) === "Bearer right") return route.fulfill({ status: 201, json: { id: "mtest" } });
    return route.fulfill({ status: 401, json: { error: "a token is required" } });
  });
  await test("where a token is needed, the page asks for it and goes on", async () => {
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("textbox", { name: "Token" }).fill("http://host:9147/#token=right");
    await page.getByRole("button", { name: "Use this token" }).click();
    await page.waitForFunction(() => location.hash === "#/match/mtest");
    same(seen, ["", "Bearer right"]);
  });
  await test("a token in the address is taken and hidden", async () => {
    await page.goto("about:blank");
    await page.goto(`${server.url}#token=right`);
    await ready(page);
    same(await page.evaluate(() => location.hash), "#/");
    same(await page.evaluate(() => sessionStorage.getItem("tafl-token")), "right");
    await visit(page, "#token=other");
    same(await page.evaluate(() => [location.hash, sessionStorage.getItem("tafl-token")]), ["#/", "other"], "in a page that is open");
  });
  await page.context().close();
}

/* A window is hidden and seen again, as far as its scripts can tell. */
const hide = (hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};

async function streams(server, browser) {
  const { body } = await api(server, "POST", "matches", { game: "ticTacToe", players: ["human", "random"] });
  const watchers = async () => (await api(server, "GET", "matches")).body.matches.find((match) => match.id === body.id).watchers;
  const page = await open(browser, server);
  await page.clock.install();
  await visit(page, `#/match/${body.id}`);
  await test("a window that is not seen gives its connection back", async () => {
    await until(async () => (await watchers()) === 1, "one watcher");
    await page.evaluate(hide, true);
    await page.clock.fastForward(61000);
    await until(async () => (await watchers()) === 0, "no watcher");
    await page.evaluate(hide, false);
    await until(async () => (await watchers()) === 1, "one watcher again");
  });
  await page.context().close();
}

await main(async ({ server, browser }) => {
  await home(server, browser);
  await game(server, browser);
  await colours(server, browser);
  await problems(server, browser);
  await token(server, browser);
  await streams(server, browser);
});
