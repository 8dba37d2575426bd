// Opens the page of `mpiscope view` in a headless Chromium, each time in a context of its own, and
// prints JSON: ms from asking for the address to the first paint, and until all tiles are drawn.
//
//     node bench/paint.mjs ADDRESS TIMES

import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../viewer/package.json", import.meta.url))("playwright-core");
const [address, times] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const found = { first: [], whole: [] };
for (let number = 0; number < Number(times); number++) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const began = performance.now();
  await page.goto(address);
  await page.waitForSelector('#app[data-ready="true"][data-missing="0"]', { state: "attached", timeout: 60_000 });
  found.whole.push(performance.now() - began);
  found.first.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null));
  await context.close();
}
await browser.close();
console.log(JSON.stringify(found));
