// Looks at a job that runs in a real Chromium, against the server at MPISCOPE_VIEW_ADDRESS. When
// MPISCOPE_STOP names a file, making it ends the job. MPISCOPE_VIEW_SHOTS as for browser.mjs.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as chromium from "./chromium.mjs";

const { MPISCOPE_VIEW_ADDRESS: address, MPISCOPE_STOP: stop, MPISCOPE_VIEW_SHOTS: shots } = process.env;
assert(address && stop, "MPISCOPE_VIEW_ADDRESS and MPISCOPE_STOP are not both set");
const origin = new URL(address).origin;
const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(`${origin}/`) });
const until = (what, holds) => chromium.until(page, what, holds);
const shot = (name) => shots && page.screenshot({ path: `${shots}/live-${name}.png` });

await page.goto(address);
await until("a running job", (now) => now.ready === "true" && now.phase === "running");
assert(!page.url().includes("token"), "the token stays in the address");
await until("more looks", (now) => Number(now.looks) > 3);
const calls = async () => Number((await page.locator(".live-statements tbody tr", { hasText: "MPI_Allreduce" }).locator("td").nth(4).textContent()).replace(/\D/g, ""));
const before = await calls();
const looks = Number((await chromium.stateOf(page)).looks);
await until("two more looks", (now) => Number(now.looks) >= looks + 2);
assert((await calls()) > before, "the page does not see the job go on");
assert.equal(await page.locator(".live-ranks tbody tr").count(), 3);
assert((await page.locator(".spark polyline").count()) > 0, "there is no course");
assert.deepEqual(await chromium.serious(page), []);
await shot("running");

// The statements of one rank, and back.
await page.locator(".live-ranks tbody button").nth(1).click();
await page.locator(".live-statements h2", { hasText: "of rank 1" }).waitFor();
await page.keyboard.press("Escape");
await page.locator(".live-statements h2", { hasNotText: "of rank 1" }).waitFor();
await page.getByRole("button", { name: "Imbalance" }).click();
assert.equal(await page.locator(".live-statements th[aria-sort=descending]").textContent(), "Imbalance ▾");

// Paused, nothing is asked.
await page.keyboard.press("p");
await page.locator(".phase", { hasText: "paused" }).waitFor();
await page.keyboard.press("p");
await page.locator(".phase", { hasNotText: "paused" }).waitFor();

await writeFile(stop, "");
await until("the end of the job", (now) => now.phase === "ended");
assert.match(await page.locator(".ended").textContent(), /The job has ended: finished\./);
await page.locator(".written pre", { hasText: "MPI_Allreduce" }).waitFor();
assert.deepEqual(await chromium.serious(page), []);
await page.setViewportSize({ width: 400, height: 800 });
assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
await shot("ended");
assert.deepEqual(foreign, []);
assert.deepEqual(complaints, []);
console.log("ok    a job that runs, and has ended");
await browser.close();
