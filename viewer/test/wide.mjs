// Very many processes in a real Chromium, against the server at MPISCOPE_VIEW_ADDRESS: MPISCOPE_RANKS of them.
// How long the steps take is printed, for whoever reads it: how busy the machine is decides that.

import assert from "node:assert/strict";
import * as chromium from "./chromium.mjs";

const { MPISCOPE_VIEW_ADDRESS: address, MPISCOPE_RANKS: ranks } = process.env;
assert(address && ranks, "MPISCOPE_VIEW_ADDRESS and MPISCOPE_RANKS are to be set");
const origin = new URL(address).origin;
const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(`${origin}/`) });

let begin = Date.now();
const took = (what) => {
  console.log(`${what}: ${Date.now() - begin} ms`);
  begin = Date.now();
};
await page.goto(address);
await page.waitForSelector('#app[data-ready="true"]', { timeout: 120_000 });
const first = await chromium.settled(page);
took("shown");
// Hosts stand for their processes, so the page draws no row for each.
assert(Number(first.rows) < Number(ranks) / 8, `${first.rows} rows of ${ranks} processes`);
for (const key of ["w", "w", "s", "End", "Home", "0"]) {
  await page.keyboard.press(key);
  await chromium.settled(page);
}
took("six keys");
const last = `rank ${Number(ranks) - 1}`;
await page.locator("#search").fill(last);
await page.getByRole("option", { name: last }).first().waitFor();
await page.keyboard.press("Enter");
await page.locator(".label", { has: page.getByText(last, { exact: true }) }).waitFor();
await chromium.settled(page);
took(`${last} found`);
for (const tab of ["calls", "flame", "matrix", "sizes", "clocks", "balance", "summary"]) {
  await page.locator(`#tab-${tab}`).click();
  await page.waitForTimeout(100);
  await page.waitForFunction(() => !document.querySelector(".asking"));
  assert.equal(await page.locator("#panel .error").count(), 0, `${tab}: ${await page.locator("#panel").textContent()}`);
}
took("seven panels");
assert.deepEqual(await chromium.serious(page), []);
assert.deepEqual(complaints, []);
assert.deepEqual(foreign, []);
await browser.close();
