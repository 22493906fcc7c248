/* How much the page weighs, and how soon something is seen. First paint must come within
   a second; on a machine that is busy with other tests (without LONG) within three. */

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { holds, main, open, root, test } from "./support.mjs";

const WEIGHT = 300000;
const PAINT = process.env.LONG ? 1000 : 3000;
const FOLDER = join(root, "page");

/* Bytes of all files, as they are sent to browsers. */
async function weigh(server) {
  let bytes = 0;
  for (const entry of readdirSync(FOLDER, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = relative(FOLDER, join(entry.parentPath ?? entry.path, entry.name));
    const answer = await fetch(server.url + path, { headers: { "Accept-Encoding": "gzip" } });
    holds(answer.status === 200, path);
    bytes += Number(answer.headers.get("Content-Length"));
  }
  return bytes;
}

/* Milliseconds from the click to the first content, by the browser's own clock. */
async function firstPaint(page) {
  return page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity);
}

/* What the browser fetched for the first screen, without what the interface said. */
async function fetched(page) {
  return page.evaluate(() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter((entry) => !entry.name.includes("/api/")).reduce((sum, entry) => sum + entry.encodedBodySize, 0));
}

await main(async ({ server, browser }) => {
  const weight = await weigh(server);
  await test(`all files together take ${weight} bytes, of ${WEIGHT}`, () => holds(weight > 0 && weight < WEIGHT, weight));
  const times = [];
  let bytes = 0;
  for (let i = 0; i < 3; i += 1) {
    const page = await open(browser, server);
    times.push(await firstPaint(page));
    bytes = await fetched(page);
    await page.context().close();
  }
  const best = Math.round(Math.min(...times));
  await test(`something is seen after ${best} ms`, () => holds(best < PAINT, times.join(", ")));
  await test(`the first screen takes ${bytes} bytes`, () => holds(bytes > 0 && bytes < WEIGHT, bytes));
});
