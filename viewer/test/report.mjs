// Opens the report at MPISCOPE_REPORT from its file in a real Chromium and looks around in it.
// MPISCOPE_VIEW_SHOTS names a folder for a picture.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import * as chromium from "./chromium.mjs";

const report = process.env.MPISCOPE_REPORT;
assert(report, "MPISCOPE_REPORT is not set");
const address = pathToFileURL(report).href;

const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, {
  reducedMotion: "reduce",
  own: (url) => url.split("#")[0] === address,
});

const until = (what, holds) => chromium.until(page, what, holds);
const settled = () => chromium.settled(page);
const width = (now) => {
  const [from, to] = now.window.split(":").map(Number);
  return to - from;
};

await page.goto(address);
const whole = await settled();
assert(Number(whole.calls) > 0, "no calls are drawn");
assert((await page.locator(".analysis").count()) > 0, "sums are missing");
assert((await page.locator(".sentences li").count()) > 0, "the verdict is missing");
assert.match(await page.locator(".judgement .lost").textContent(), /is waiting/, "the verdict has no headline");
console.log("ok    the whole run, from a file");

await page.locator(".largest button").first().click();
await until("a finding in its place", (now) => now.finding !== "" && width(now) < width(whole));
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

await page.keyboard.press("0");
await page.locator("#panel").getByRole("button", { name: "Point-to-point communication" }).click();
await page.locator(".notice", { hasText: /the longest of \d+\.$/ }).waitFor();
await page.keyboard.press("/");
await page.keyboard.type("tag 1");
await page.keyboard.press("Enter");
await page.locator(".notice", { hasText: "This report does not hold tags" }).waitFor();
await page.keyboard.press("Escape");
console.log("ok    a row of states leads to the longest stay; what is not held is said");

await page.getByRole("button", { name: "measured", exact: false }).first().click();
await until("the measured clock", (now) => now.clock === "measured");
await settled();
console.log("ok    the other clock");

assert.deepEqual(await chromium.serious(page), []);
if (process.env.MPISCOPE_VIEW_SHOTS) await page.screenshot({ path: `${process.env.MPISCOPE_VIEW_SHOTS}/report.png` });

await page.emulateMedia({ media: "print" });
await page.setViewportSize({ width: 720, height: 1020 });
await page.waitForTimeout(300);
const cut = await page.evaluate(() => {
  const parts = [...document.querySelectorAll(".side, .told, .judgement, .legend, .legend ul, .bottom, .finding-list, #panel")];
  return parts.filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1).map(({ className, id }) => `${className}#${id}`);
});
assert.deepEqual(cut, [], "on paper nothing can be scrolled to");
assert(await page.locator(".tools").isHidden());
console.log("ok    on paper all of it is there");

assert.deepEqual(foreign, [], "the report asks somebody else");
assert.deepEqual(complaints, []);
console.log("ok    nothing else was asked for, nothing complained");
await browser.close();
