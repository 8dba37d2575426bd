// Two runs that repeat themselves on one page in a real Chromium, against the server at
// MPISCOPE_VIEW_ADDRESS: the second takes longer than the first. MPISCOPE_VIEW_SHOTS as for browser.mjs.

import assert from "node:assert/strict";
import * as chromium from "./chromium.mjs";

const { MPISCOPE_VIEW_ADDRESS: address, MPISCOPE_VIEW_SHOTS: shots } = process.env;
assert(address, "MPISCOPE_VIEW_ADDRESS is not set");
const origin = new URL(address).origin;
const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(`${origin}/`) });
const shot = (name) => shots && page.screenshot({ path: `${shots}/compare-${name}.png` });

await page.goto(address);
await chromium.settled(page);

// Iterations: bars, the keys from one to the next, and the map by rank.
const { iterations } = await chromium.until(page, "the iterations", (now) => Number(now.iterations) > 2);
const whole = await chromium.settled(page);
const changed = (before) => chromium.until(page, "another window", (now) => now.window !== before.window);
await page.locator("#tab-iterations").click();
assert.match(await page.locator(".iterations-told").textContent(), new RegExp(`${iterations} iterations`));
await page.locator(".iterations-chart canvas").focus();
await page.keyboard.press("ArrowRight");
await page.keyboard.press("ArrowRight");
await page.locator(".iterations-chart [role=status]", { hasText: "Iteration 2:" }).waitFor();
assert.deepEqual(await chromium.serious(page), []);
await shot("bars");
await page.keyboard.press("Enter");
const second = await changed(whole);
await page.locator("#timelines").focus();
await page.keyboard.press("i");
const third = await changed(second);
const ends = ({ window }) => window.split(":").map(Number);
assert(ends(third)[0] > ends(second)[0] && ends(third)[1] > ends(second)[1], "the next iteration is later");
await page.keyboard.press("Shift+I");
await chromium.until(page, "the iteration from before", (now) => now.window === second.window);
await page.locator("#tab-balance").click();
await page.locator(".heat-map").focus();
await page.keyboard.press("ArrowRight");
await page.locator(".heat [role=status]", { hasText: "in iteration 1." }).waitFor();
await page.locator(".heat").getByRole("button", { name: "waiting" }).click();
await page.locator(".heat [role=status]", { hasText: "waits" }).waitFor();
assert.deepEqual(await chromium.serious(page), []);
await shot("map");
await page.keyboard.press("0");

// The runs against each other.
await page.locator("#tab-compare").click();
const row = (name) => page.locator(".compare table").first().locator("tbody tr", { hasText: name }).first();
await row("Wall time").waitFor();
assert.match(await row("Wall time").locator("td").nth(2).textContent(), /^\+/, "the second run takes longer");
assert((await page.locator(".by-function tbody tr").count()) > 2);
await page.getByRole("button", { name: "Function", exact: true }).click();
const names = await page.locator(".by-function tbody th").allTextContents();
assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
assert.deepEqual(await chromium.serious(page), []);
await shot("runs");
// Times lead to the calls of their run.
await page.locator(".by-function").getByRole("button", { name: /next call of MPI_\w+ in .*long/ }).first().click();
const call = await chromium.until(page, "a call of the second run", (it) => it.selected.startsWith("call:1:"));
await row("Collective").getByRole("button", { name: /of .*short/ }).click();
await chromium.until(page, "the longest of the first run", (it) => it.selected.startsWith("call:0:") && it.selected !== call.selected);
for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
await page.getByRole("button", { name: "an iteration" }).click();
await page.getByText("All sums are per iteration").waitFor();
await row("Length, mean").waitFor();
await shot("iterations");

// Verdict and findings are of the run that is chosen.
const verdicts = page.locator(".verdict .kinds button");
assert.equal(await verdicts.count(), 2);
const other = await verdicts.nth(1).textContent();
await verdicts.nth(1).click();
await page.locator("#verdict-title", { hasText: other }).waitFor();
await page.locator(".largest button").first().click();
const now = await chromium.until(page, "a finding of the second run", (it) => it.finding !== "");
assert.match(now.selected, /^call:1:/);

await page.setViewportSize({ width: 400, height: 800 });
await chromium.settled(page);
assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
assert.deepEqual(foreign, []);
assert.deepEqual(complaints, []);
console.log("ok    two runs against each other");
await browser.close();
