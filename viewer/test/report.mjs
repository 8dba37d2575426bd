// Opens the report at MPISCOPE_REPORT from its file in a real Chromium and looks around in it.
// CHROMIUM names another browser; MPISCOPE_VIEW_SHOTS a folder for a picture.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const report = process.env.MPISCOPE_REPORT;
assert(report, "MPISCOPE_REPORT is not set");
const address = pathToFileURL(report).href;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
const complaints = [];
const foreign = [];
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
page.on("pageerror", (error) => complaints.push(String(error.stack)));
page.on("request", (request) => request.url().split("#")[0] !== address && !/^(blob|data):/.test(request.url()) && foreign.push(request.url()));

const state = () => page.$eval("#app", (root) => ({ ...root.dataset }));

async function until(what, holds) {
  const end = Date.now() + 60_000;
  for (;;) {
    const now = await state();
    if (holds(now)) return now;
    assert(Date.now() < end, `${what}: it never came; ${JSON.stringify(now)}`);
    await page.waitForTimeout(25);
  }
}

const settled = () => until("a settled picture", (now) => now.ready === "true" && now.missing === "0" && now.moving === "false");
const width = (now) => {
  const [from, to] = now.window.split(":").map(Number);
  return to - from;
};

await page.goto(address);
const whole = await settled();
assert(Number(whole.calls) > 0, "no calls are drawn");
assert((await page.locator(".sentences li").count()) > 0, "the verdict is missing");
console.log("ok    the whole run, from a file");

await page.locator(".largest button").first().click();
const followed = await until("a finding", (now) => now.finding !== "");
assert(width(followed) < width(whole), "a finding does not lead to its place");
await settled();
console.log("ok    a finding leads to its place");

await page.keyboard.press("0");
await page.keyboard.press("/");
await page.keyboard.type("send");
await page.keyboard.press("Enter");
await until("a call that matches", (now) => now.selected.startsWith("call:"));
await page.keyboard.press("Escape");
await page.keyboard.press("f");
await until("the call in the window", (now) => width(now) < width(whole));
await settled();
assert.match(await page.locator("#spoken").textContent(), /send/i);
console.log("ok    search finds a call, F frames it");

await page.getByRole("button", { name: "measured", exact: false }).first().click();
await until("the measured clock", (now) => now.clock === "measured");
await settled();
console.log("ok    the other clock");

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
await page.evaluate(axe);
const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join("; ")}`), []);
if (process.env.MPISCOPE_VIEW_SHOTS) await page.screenshot({ path: `${process.env.MPISCOPE_VIEW_SHOTS}/report.png` });

assert.deepEqual(foreign, [], "the report asks somebody else");
assert.deepEqual(complaints, []);
console.log("ok    nothing else was asked for, nothing complained");
await browser.close();
