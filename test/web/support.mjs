/* What tests in a browser share: the server as a child, the browser, pages that remember
   what went wrong in them, and the output in TAP.

   playwright-core and axe-core are looked for in $TAFL_NPM, then in build/npm (./setup
   test puts them there); the browser is $CHROMIUM, or a Chromium or Chrome of the system.
   Where one of them is missing, the test is skipped and says what is missing.

   With TAFL_URL a server that runs already is used. */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const root = resolve(fileURLToPath(import.meta.url), "../../..");
const TAFL = resolve(root, process.env.TAFL ?? "build/tafl");
const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PATIENCE = 30000; /* milliseconds: the machine may be busy with other tests */

const cleanups = [];
let number = 0;
let failures = 0;

/* TAP */

export function tell(good, what, details = "") {
  number += 1;
  if (!good) failures += 1;
  console.log(`${good ? "ok" : "not ok"} ${number} - ${what}`);
  if (!good) for (const line of String(details).split("\n").slice(0, 30)) console.log("  " + line.slice(0, 400));
}

/* One test: what it throws is its failure; what it returns, if it is a text that is not
   empty, too. */
export async function test(what, body) {
  try {
    const complaint = await body();
    tell(!complaint, what, complaint);
  } catch (error) {
    tell(false, what, error.stack ?? error);
  }
}

export function same(got, expected, what) {
  const [one, other] = [JSON.stringify(got), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what ?? "value"}: got ${one}, expected ${other}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/* Runs a whole test file: body({server, browser}); options and prepare as startServer has
   them. */
export async function main(body, { options = [], prepare = null } = {}) {
  const lacking = whatIsMissing();
  if (lacking) {
    console.log(`ok 1 - browser tests # SKIP ${lacking}`);
    return;
  }
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => end(143));
  try {
    await body({ server: await startServer(options, prepare), browser: await launch() });
  } catch (error) {
    tell(false, "the test runs to its end", error.stack ?? error);
  }
  console.log(`1..${number}`);
  await end(failures > 0 ? 1 : 0);
}

/* The browser ends before the server, so that nobody looks for it any more. */
async function end(code) {
  while (cleanups.length > 0) await cleanups.pop()();
  process.exit(code);
}

/* The browser */

function packages() {
  const places = [process.env.TAFL_NPM, join(root, "build/npm/node_modules")].filter(Boolean);
  const found = places.find((place) => existsSync(join(place, "playwright-core")) && existsSync(join(place, "axe-core")));
  return found ? createRequire(join(resolve(found), "x.js")) : null;
}

function browserProgram() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of BROWSERS) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return null;
}

function whatIsMissing() {
  if (!packages()) return "playwright-core and axe-core are not installed: ./setup test";
  return browserProgram() ? null : "there is no Chromium: ./setup test";
}

async function launch() {
  const { chromium } = packages()("playwright-core");
  const browser = await chromium.launch({ executablePath: browserProgram(), args: ["--no-sandbox", "--disable-gpu"] });
  cleanups.push(() => browser.close().catch(() => {}));
  return browser;
}

/* A page of a fresh context. page.faults is a list of what no page may do: exceptions,
   errors in the console, violations of the content-security policy, requests elsewhere. */
export async function open(browser, server, hash = "#/", { width = 1200, height = 850, scheme = "light", ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, reducedMotion: "reduce", ...more });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  waitByClock(page);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(`exception: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && page.faults.push(`console: ${message.text()}`));
  page.on("dialog", (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) page.faults.push(`request: ${request.url()}`);
  });
  await page.goto(server.url + hash);
  await ready(page);
  return page;
}

/* Questions are asked 20 times a second instead of in every frame: frames may be rare on a
   busy machine, and where they are not, the browser would draw them all the time. */
function waitByClock(page) {
  const wait = page.waitForFunction.bind(page);
  page.waitForFunction = (question, argument, options) => wait(question, argument, { polling: 50, ...options });
}

/* Waits until the screen that was asked for stands. */
export async function ready(page) {
  const stands = () => {
    const main = document.getElementById("main");
    return main && !main.hasAttribute("aria-busy") && main.querySelector("h1");
  };
  await page.waitForFunction(stands).catch(async (error) => {
    throw new Error(`${error.message}\n${page.faults?.join("\n")}\n${await page.evaluate(() => document.getElementById("main")?.outerHTML)}`);
  });
}

/* Goes to a screen of a page that is open. */
export async function visit(page, hash) {
  await page.evaluate((to) => {
    document.getElementById("main").setAttribute("aria-busy", "true");
    if (location.hash === to) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = to;
  }, hash);
  await ready(page);
}

/* Findings of axe-core that are serious or critical, as lines. */
export async function accessibility(page) {
  const source = readFileSync(packages().resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  return grave.flatMap((one) => one.nodes.slice(0, 4).map((node) => `${one.impact} ${one.id}: ${one.help}: ${node.html.slice(0, 160)} ${node.failureSummary?.split("\n")[1] ?? ""}`));
}

/* The server. Thumbnails are kept between runs, in build. prepare({work, db}) is called
   before it starts and may put something into the directory or the store. */

export async function startServer(options = [], prepare = null) {
  if (process.env.TAFL_URL) return { url: process.env.TAFL_URL, stop() {} };
  const work = mkdtempSync(join(tmpdir(), "tafl-web-"));
  const db = join(work, "store.db");
  const more = prepare?.({ work, db }) ?? [];
  const child = spawn(TAFL, ["serve", "--port", "0", "--state", join(work, "state"), "--db", db, ...options, ...more],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_CACHE_HOME: join(root, "build/web-cache") } });
  const errors = [];
  child.stderr.on("data", (data) => errors.push(data));
  const server = { process: child, work, log: () => Buffer.concat(errors).toString(), stop };
  async function stop() {
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), 5000);
    if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
    clearTimeout(killer);
    await rm(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }); /* a match may still write its record */
  }
  cleanups.push(stop);
  const line = await firstLine(child);
  const found = /http:\/\/[0-9.]+:\d+\//.exec(line);
  if (!found) throw new Error(`serve printed "${line}"\n${server.log()}`);
  return Object.assign(server, { url: found[0] });
}

function firstLine(child) {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => resolve(""));
  });
}

/* Runs the program; throws if it fails. */
export function tafl(...words) {
  return execFileSync(TAFL, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] }).toString();
}

/* A request to the interface: -> {status, body}. */
export async function api(server, method, path, body) {
  const answer = await fetch(`${server.url}api/${path}`, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

/* Asks until the answer is not null; fails after the time. */
export async function until(question, what, milliseconds = PATIENCE) {
  const last = Date.now() + milliseconds;
  for (;;) {
    const answer = await question();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (Date.now() > last) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
