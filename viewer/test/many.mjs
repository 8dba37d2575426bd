// A million states on screen, in a real Chromium: whatever somebody does there is done, none of it
// is dropped. How long frames take is printed for whoever reads it; how busy the machine is decides
// it. MPISCOPE_VIEW_ADDRESS is the address that `mpiscope view` prints, of a run that large.

import assert from "node:assert/strict";
import * as chromium from "./chromium.mjs";

const MANY = 1_000_000;

const address = process.env.MPISCOPE_VIEW_ADDRESS;
assert(address, "MPISCOPE_VIEW_ADDRESS is not set");
const origin = new URL(address).origin;
const browser = await chromium.launch();
const { page, complaints } = await chromium.open(browser, { reducedMotion: "reduce", own: (url) => url.startsWith(`${origin}/`) });
const settled = () => chromium.settled(page);
const until = (what, holds) => chromium.until(page, what, holds);
const shownWindow = async () => (await chromium.stateOf(page)).window.split(":").map(Number);
const width = async () => {
  const [from, to] = await shownWindow();
  return to - from;
};
const isNear = (is, expected) => Math.abs(is / expected - 1) < 0.001;
/** Waits until the window that is drawn has a length. */
const wide = (what, expected) =>
  until(`${what}: a window of ${Math.round(expected)} ns`, (now) => {
    const [from, to] = now.window.split(":").map(Number);
    return isNear(to - from, expected);
  });

await page.goto(address);
await settled();
const { calls, clock } = await page.evaluate(async () => {
  const headers = { Authorization: `Bearer ${localStorage.getItem("mpiscope-token")}` };
  const ask = async (path) => (await fetch(`api/${path}`, { headers })).json();
  const { clock } = (await ask("meta")).runs[0];
  const { regions } = await ask(`run/0/${clock}/summary`);
  return { clock, calls: regions.reduce((sum, { calls }) => sum + calls, 0) };
});
assert(calls >= MANY, `only ${calls} calls are in the window`);

const frames = [];
await page.$eval("#app", (root) => {
  window.frameTimes = [];
  new MutationObserver(() => window.frameTimes.push(Number(root.dataset.frameMs))).observe(root, { attributeFilter: ["data-frames"] });
});
const told = async (what, began) => {
  const times = (await page.evaluate(() => window.frameTimes.splice(0))).sort((a, b) => a - b);
  const quantile = (q) => times[Math.min(times.length - 1, Math.floor(q * times.length))];
  frames.push(...times);
  console.log(`      ${what}: ${Date.now() - began} ms, ${times.length} frames, median ${quantile(0.5)} ms, 95 % ${quantile(0.95)} ms, longest ${times.at(-1)} ms`);
};
await page.evaluate(() => window.frameTimes.splice(0));

// Keys: each press zooms by a factor, however fast they come.
let began = Date.now();
const whole = await width();
await page.locator("#timelines").focus();
for (let i = 0; i < 8; i++) await page.keyboard.press("w");
await wide("eight keys", whole * 0.7 ** 8);
await settled();
await told("eight keys to zoom in", began);
await page.keyboard.press("0");
await wide("0", whole);
await settled();

// Wheel: each turn counts.
began = Date.now();
await page.mouse.move(600, 300);
for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, -100);
await wide("twelve turns of the wheel", whole * Math.exp(-0.22 * 12));
await settled();
await told("twelve turns of the wheel", began);

// Drag: the window is where the pointer left it.
began = Date.now();
const [from, to] = await shownWindow();
const pixels = await page.locator("#timelines").evaluate((element) => element.clientWidth);
await page.mouse.move(600, 300);
await page.mouse.down();
await page.mouse.move(900, 300, { steps: 30 });
await page.mouse.up();
const moved = Math.min(from, (300 * (to - from)) / pixels);
await until("a window moved by 300 pixels", (now) => isNear(from - Number(now.window.split(":")[0]), moved));
await settled();
await told("dragging the window", began);

// A row is shifted with all of it on screen.
began = Date.now();
await page.keyboard.press("0");
await wide("0", whole);
await settled();
const box = await page.locator(".label:not(.headline):not(.open)").nth(2).boundingBox();
await page.mouse.move(box.x + 30, box.y + box.height / 2);
await page.mouse.down();
await page.mouse.move(box.x + 130, box.y + box.height / 2, { steps: 20 });
await page.mouse.up();
await until("a row shifted by 100 pixels", (now) => isNear(Number(now.shifts.split(",")[0].split(":")[1]), (100 * whole) / pixels));
await settled();
await told("dragging a row", began);
await page.keyboard.press("Control+z");
await until("no shift", (now) => now.shifts === "");

frames.sort((a, b) => a - b);
console.log(`      ${calls} calls by ${clock} time on screen, ${frames.length} frames: median ${frames[frames.length >> 1]} ms, longest ${frames.at(-1)} ms`);
assert.deepEqual(complaints, []);
await browser.close();
