/* How much the page weighs, and how soon something is seen. First paint must come within
   a second; on a machine that is busy with other tests (without LONG) within three. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { holds, main, open, root, test } from "./support.mjs";

const WEIGHT = 300000;
const PAINT = process.env.LONG ? 1000 : 3000;

function weigh(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? weigh(path) : statSync(path).size;
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
  const weight = weigh(join(root, "page"));
  await test(`all files together have ${weight} bytes, of ${WEIGHT}`, () => holds(weight < WEIGHT, weight));
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
