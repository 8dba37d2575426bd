// A row that is dragged, the run that is corrected anew in a terminal, and the page that shows it then, in a
// real Chromium against the server at MPISCOPE_VIEW_ADDRESS; MPISCOPE_SYNC is the line that corrects.

import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import * as chromium from "./chromium.mjs";

const { MPISCOPE_VIEW_ADDRESS: address, MPISCOPE_SYNC: line } = process.env;
assert(address && line, "MPISCOPE_VIEW_ADDRESS and MPISCOPE_SYNC are to be set");
const origin = new URL(address).origin;
const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(`${origin}/`) });

await page.goto(address);
await chromium.settled(page);
for (let i = 0; i < 6; i++) await page.keyboard.press("w");
const { window } = await chromium.settled(page);

// The row of rank 3 is dragged by its name.
const name = await page.locator(".label", { has: page.getByText("rank 3", { exact: true }) }).boundingBox();
const [x, y] = [name.x + name.width / 2, name.y + name.height / 2];
await page.mouse.move(x, y);
await page.mouse.down();
await page.mouse.move(x + 40, y, { steps: 6 });
await page.mouse.up();
await chromium.until(page, "a shift", (now) => now.shifts !== "");
// The picture of the last movement may come after that of an earlier one.
const { shifts } = await chromium.settled(page);
await page.waitForTimeout(500);

execSync(line);
await page.locator("#tab-calls").click();
await page.keyboard.press("0");
const alert = page.getByRole("alert");
await alert.waitFor();
assert.match(await alert.textContent(), /mix\.mpiscope was changed or removed\. What is shown stays\./);
assert.deepEqual(await chromium.serious(page), []);
complaints.length = 0;
const loaded = page.waitForNavigation();
await alert.getByRole("button", { name: "Show the run as it is now" }).click();
await loaded;
await chromium.settled(page);
assert.equal(await page.getByRole("alert").count(), 0);
assert.equal((await chromium.stateOf(page)).shifts, shifts, "what was dragged is kept");
await page.locator("#tab-calls").click();
await page.locator("#panel .next-call").first().waitFor();
assert.notEqual(window, "");

assert.deepEqual(complaints, []);
assert.deepEqual(foreign, []);
await browser.close();
