// A page in a real Chromium, and what tests ask of it. CHROMIUM names another browser.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { chromium } from "playwright-core";

const WAIT_MS = 60_000;
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** Opens an empty page that notes its complaints, and requests for what is not its `own`. */
export async function open(browser, { reducedMotion, own }) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion });
  const complaints = [];
  const foreign = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  page.on("request", (request) => !own(request.url()) && !/^(blob|data):/.test(request.url()) && foreign.push(request.url()));
  return { page, complaints, foreign };
}

/** What the page says of itself. */
export const stateOf = (page) => page.$eval("#app", (root) => ({ ...root.dataset }));

/** Waits until the page's attributes fulfil a condition, and returns them. */
export async function until(page, what, holds) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const now = await stateOf(page);
    if (holds(now)) return now;
    assert(Date.now() < end, `${what}: it never came; ${JSON.stringify(now)}`);
    await page.waitForTimeout(25);
  }
}

/** Waits until all tiles of the window are drawn and nothing moves. */
export async function settled(page) {
  await page.waitForTimeout(60);
  return until(page, "a settled picture", (now) => now.ready === "true" && now.missing === "0" && now.moving === "false");
}

/** The serious and critical findings of axe-core; a panel that waits for its answer is paler meanwhile. */
export async function serious(page) {
  await page.waitForFunction(() => !document.querySelector(".asking"));
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`);
}
