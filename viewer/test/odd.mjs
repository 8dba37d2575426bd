// Looks at a run that is odd, and at all panels of it, in a real Chromium, at MPISCOPE_VIEW_ADDRESS:
// that of a server or of a report's file. MPISCOPE_ROWS is how many rows with events it has.

import assert from "node:assert/strict";
import * as chromium from "./chromium.mjs";

const { MPISCOPE_VIEW_ADDRESS: address, MPISCOPE_ROWS: rows, MPISCOPE_VIEW_SHOTS: shots } = process.env;
assert(address && rows, "MPISCOPE_VIEW_ADDRESS and MPISCOPE_ROWS are not both set");
const own = address.startsWith("file:") ? address : `${new URL(address).origin}/`;
const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(own) });
await page.goto(address);
await chromium.settled(page);
assert.equal(await page.locator(".label .name", { hasText: /^rank / }).count(), Number(rows));
for (const key of ["w", "w", "d", "0", "ArrowRight", "]", "f", "m", "p", "c", "i", "t", "x", "x", "Escape", "Escape"]) {
  await page.locator("#timelines").focus();
  await page.keyboard.press(key);
}
await chromium.settled(page);
for (const tab of ["calls", "flame", "matrix", "sizes", "clocks", "balance", "iterations", "shifts", "summary"]) {
  await page.locator(`#tab-${tab}`).click();
  await page.waitForTimeout(150);
  assert.equal(await page.locator("#panel .error").count(), 0, `${tab}: ${await page.locator("#panel").textContent()}`);
  assert.notEqual((await page.locator("#panel").textContent()).trim(), "", `${tab} is empty`);
}
assert.notEqual(await page.title(), "broken", "markup in a name was taken for markup");
assert.doesNotMatch(await page.locator("body").textContent(), /NaN|undefined|Infinity/);
if (shots) await page.screenshot({ path: `${shots}/odd-${process.pid}.png` });
assert.deepEqual(complaints, []);
assert.deepEqual(foreign, []);
console.log(`ok    ${await page.title()}`);
await browser.close();
