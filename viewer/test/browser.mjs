// Goes through the page in a real Chromium, against the server at MPISCOPE_VIEW_ADDRESS (the
// address that `mpiscope view` prints, with its token). The run needs messages, two clocks and
// findings, as a simulated one has. MPISCOPE_VIEW_SHOTS names a folder for a picture of each state.

import assert from "node:assert/strict";
import * as chromium from "./chromium.mjs";

const address = process.env.MPISCOPE_VIEW_ADDRESS;
assert(address, "MPISCOPE_VIEW_ADDRESS is not set");
const origin = new URL(address).origin;
const shots = process.env.MPISCOPE_VIEW_SHOTS;

const browser = await chromium.launch();
const { page, complaints, foreign } = await chromium.open(browser, {
  reducedMotion: "no-preference",
  own: (url) => url.startsWith(`${origin}/`),
});

const state = () => chromium.stateOf(page);
const until = (what, holds) => chromium.until(page, what, holds);
const settled = () => chromium.settled(page);
const serious = () => chromium.serious(page);
const changed = (before, name) => until(`another ${name}`, (now) => now[name] !== before[name]);
const shownWindow = async () => (await state()).window.split(":").map(Number);
const width = async () => {
  const [from, to] = await shownWindow();
  return to - from;
};

const start = (now) => Number(now.window.split(":")[0]);
const length = (now) => now.window.split(":").map(Number).reduce((from, to) => to - from);
/** A busy machine may take its time before a key does anything. */
const narrower = async (what, most) => {
  await until(what, (now) => length(now) < most);
  return settled();
};

/** How many colours the states have on screen. */
const colours = () =>
  page.$eval(".surface canvas", (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });

let failures = 0;
async function step(name, run) {
  const began = Date.now();
  try {
    await run();
    console.log(`ok    ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    failures++;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
  if (shots) await page.screenshot({ path: `${shots}/${name.replace(/[^a-z0-9]+/gi, "-")}.png` });
}

// The way through the page

await step("open: the whole run, what it tells, three findings as links", async () => {
  await page.goto(address);
  const now = await settled();
  const [from, to] = now.window.split(":").map(Number);
  assert.equal(from, 0);
  assert(to > 0 && Number(now.rows) > 0);
  assert((await colours()) > 3, "the time lines are empty");
  assert((await page.locator(".sentences li").count()) > 0);
  await page.locator(".largest button").first().waitFor();
  const links = await page.locator(".largest button").count();
  assert(links >= 1 && links <= 3);
  assert(!page.url().includes("token"), "the token stays in the address");
});

await step("tab: the page's own address works in another tab of the browser, and a token in the address replaces an old one", async () => {
  const context = await browser.newContext();
  const [first, second] = [await context.newPage(), await context.newPage()];
  await first.goto(`${origin}/#token=0123456789abcdef0123456789abcdef`);
  await first.waitForSelector('#app[data-ready="error"]');
  await first.goto("about:blank");
  for (const [tab, where] of [[first, address], [second, `${origin}/`]]) {
    await tab.goto(where);
    await tab.waitForSelector('#app[data-ready="true"]');
  }
  await context.close();
});

await step("loading: what is there stays where it is", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const other = await context.newPage();
  await other.addInitScript(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shifted += value))).observe({ type: "layout-shift", buffered: true });
  });
  await other.goto(address);
  await other.waitForSelector('#app[data-ready="true"]');
  await other.waitForTimeout(500);
  const shifted = await other.evaluate(() => window.shifted);
  await context.close();
  assert(shifted < 0.1, `the layout shifts by ${shifted}`);
});

await step("verdict: the headline under its heading, and places that lead to their row", async () => {
  const judgement = page.locator(".judgement");
  assert.match(await judgement.locator(".lost").textContent(), /^\d.* of the ranks' time between MPI_Init and MPI_Finalize is waiting/);
  assert.equal(await page.getByRole("heading", { name: "Verdict", level: 3 }).count(), 1);
  const loss = judgement.locator(".losses > li").first();
  assert.match(await loss.locator("p").first().textContent(), /^(Sure|Likely|Open): /);
  assert.match(await loss.locator("p").nth(1).textContent(), /^Next: /);
  const place = loss.locator(".places button").first();
  const row = /^(rank \d+)/.exec(await place.textContent());
  await place.click();
  await until("the place", (now) => now.selected.startsWith("call:"));
  await page.locator(".selection", { hasText: row[1] }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  await settled();
  await loss.locator("button").first().click();
  await until("the loss", (now) => now.finding !== "");
  for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
  await settled();
});

await step("analysis: sums of every sort in the words of the terminal", async () => {
  const token = new URLSearchParams(new URL(address).hash.slice(1)).get("token");
  const meta = await fetch(`${origin}/api/meta`, { headers: { Authorization: `Bearer ${token}` } });
  const { analysis } = (await meta.json()).runs[0];
  assert(analysis.length > 0);
  for (const [i, part] of analysis.entries()) {
    const shown = await page.locator(".analysis").nth(i).textContent();
    const cells = [part.table?.header ?? [], ...(part.table?.rows ?? [])].flat();
    for (const text of [part.title, ...part.lines, ...cells]) assert(shown.includes(text), `${part.name}: ${text}`);
  }
});

await step("analysis: rows lead to the heaviest finding of what they name", async () => {
  for (const title of ["Wait states", "Root causes", "What mending would gain"]) {
    const link = page.locator(".analysis", { hasText: title }).locator("th .link").first();
    if ((await link.count()) === 0) {
      assert.notEqual(title, "Wait states");
      continue;
    }
    await link.click();
    await until(title, (now) => now.selected.startsWith("call:"));
    for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
    await until("nothing selected", (now) => now.selected === "" && now.finding === "");
  }
  await settled();
});

await step("accessibility: the first screen", async () => assert.deepEqual(await serious(), []));

await step("zoom: from the whole run to one message, and back", async () => {
  const whole = await width();
  await page.keyboard.press("/");
  await page.keyboard.type("send");
  await page.keyboard.press("Enter");
  await until("a call that matches", (now) => now.selected.startsWith("call:"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await narrower("a window that F has zoomed to the selection", whole / 3);
  assert.match(await page.locator("#spoken").textContent(), /send/i);
  const facts = await page.locator(".selection .facts dd").allTextContents();
  assert.doesNotMatch(facts[0], /±/, "a duration is read on one clock");
  assert.match(facts[1], /±/, "how sure the begin is is not said");
  const send = await state();
  await page.keyboard.press("m");
  const other = await changed(send, "selected");
  assert(other.selected.startsWith("call:"));
  const near = await width();
  await page.mouse.move(700, 300);
  for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, -200);
  await narrower("a window that the wheel has zoomed", near / 2);
  await page.keyboard.press("0");
  await settled();
  assert.equal(await width(), whole);
});

await step("pan: with keys and with the pointer", async () => {
  for (let i = 0; i < 6; i++) await page.keyboard.press("w");
  await settled();
  const [from] = await shownWindow();
  await page.keyboard.press("d");
  await until("a later window", (now) => start(now) > from);
  const later = start(await settled());
  await page.mouse.move(700, 400);
  await page.mouse.down();
  await page.mouse.move(900, 400, { steps: 5 });
  await page.mouse.up();
  await until("a window further back, as it was dragged to the right", (now) => start(now) < later);
  await settled();
});

await step("interval: Shift and drag marks it, F fills the window with it", async () => {
  const before = await width();
  await page.keyboard.down("Shift");
  await page.mouse.move(500, 400);
  await page.mouse.down();
  await page.mouse.move(700, 400, { steps: 5 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  assert.match(await page.locator(".of-window").textContent(), /marked interval/);
  await page.keyboard.press("f");
  await narrower("a window that F has filled with the interval", before / 2);
});

await step("clock: events move to their measured times and back", async () => {
  await page.keyboard.press("0");
  const before = await settled();
  await page.getByRole("button", { name: "measured", exact: false }).first().click();
  const moved = await until("the measured clock", (now) => now.clock === "measured");
  assert.notEqual(moved.clock, before.clock);
  await settled();
  assert.match(await page.locator(".header").textContent(), /reversed/);
  await page.keyboard.press("Control+z");
  await until("the clock from before", (now) => now.clock === before.clock);
  await settled();
});

await step("filter: ranks, functions, classes", async () => {
  const before = await settled();
  await page.locator(".filters summary").click();
  await page.locator("#filter-ranks").fill("0-1");
  const fewer = await changed(before, "rows");
  assert(Number(fewer.rows) < Number(before.rows));
  assert.equal(await page.locator("#filter-ranks").getAttribute("aria-invalid"), "false");
  await page.locator("#filter-ranks").fill("abc");
  await page.locator(".filter-wrong", { hasText: "such as 0-3,7" }).waitFor();
  assert.equal(await page.locator("#filter-ranks").getAttribute("aria-invalid"), "true");
  assert.deepEqual(await serious(), []);
  await page.locator("#filter-region").fill("send");
  await settled();
  await page.getByRole("button", { name: "Clear" }).click();
  await until("all rows", (now) => now.rows === before.rows);
  await page.locator(".filters summary").click();
  const computation = page.locator(".legend li button").first();
  await computation.click();
  assert.equal(await computation.getAttribute("aria-pressed"), "false");
  await computation.click();
});

await step("filter: messages of a communicator, and of a tag", async () => {
  await page.keyboard.press("0");
  await page.locator("#timelines").focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press("w");
  const arrows = ({ arrows }) => Number(arrows.split(":")[0]);
  const all = await settled();
  assert(arrows(all) > 0, "no arrows are there to be left out");
  if (!(await page.locator("#filter-tag").isVisible())) await page.locator(".filters summary").click();
  await page.locator("#filter-tag").fill("31999");
  await until("no message of that tag", (now) => arrows(now) === 0);
  await page.locator("#filter-tag").fill("");
  await until("all messages again", (now) => arrows(now) === arrows(all));
  const communicators = await page.locator("#filter-communicator option").evaluateAll((options) => options.map(({ value }) => value).filter(Boolean));
  let sum = 0;
  for (const communicator of communicators) {
    await page.locator("#filter-communicator").selectOption(communicator);
    await page.waitForTimeout(60);
    sum += arrows(await settled());
  }
  assert.equal(sum, arrows(all), "each message is of one communicator");
  await page.locator("#filter-communicator").selectOption("");
  await page.locator(".filters summary").click();
  await page.keyboard.press("0");
});

await step("sort and fold: rows by waiting and likeness, hosts folded", async () => {
  const before = await settled();
  for (const sort of ["waiting", "similarity", "rank"]) {
    await page.locator(".sort select").selectOption(sort);
    await until(`rows by ${sort}`, (now) => now.sort === sort);
  }
  await page.locator("#timelines").focus();
  await page.keyboard.press("x");
  let folded = await changed(before, "rows");
  if (Number(folded.rows) > Number(before.rows)) {
    await page.keyboard.press("x");
    folded = await changed(folded, "rows");
  }
  assert(Number(folded.rows) < Number(before.rows));
  await settled();
  assert((await colours()) > 3, "folded rows show no shares");
  await page.keyboard.press("Control+z");
  await changed(folded, "rows");
});

let bookmark;
await step("finding: a link leads to its place", async () => {
  await page.locator(".largest button").first().click();
  const now = await until("a finding", (now) => now.finding !== "");
  assert(now.selected.startsWith("call:"));
  await settled();
  assert(await page.locator(".selection-name").isVisible());
  await page.waitForTimeout(400);
  bookmark = { url: page.url(), ...(await state()) };
});

await step("accessibility: a selection", async () => assert.deepEqual(await serious(), []));

await step("bookmark: it shows the same again", async () => {
  await page.goto("about:blank");
  await page.goto(bookmark.url);
  const now = await settled();
  for (const name of ["window", "selected", "finding", "clock", "rows"]) assert.equal(now[name], bookmark[name], name);
});

await step("collective operation: from a call to all its members", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("reduce");
  await page.keyboard.press("Enter");
  await until("a call", (now) => now.selected.startsWith("call:"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("f");
  await settled();
  await page.getByRole("button", { name: "Show all members of this operation" }).click();
  await until("the operation", (now) => now.selected.startsWith("collective:"));
  await page.getByText("Members, the last to enter first").waitFor();
});

await step("undo and redo", async () => {
  const before = await settled();
  await page.keyboard.press("0");
  const whole = await changed(before, "window");
  await page.keyboard.press("Control+z");
  await until("the window from before", (now) => now.window === before.window);
  await page.keyboard.press("Control+Shift+z");
  await until("the whole run again", (now) => now.window === whole.window);
});

await step("critical path and panels", async () => {
  await page.keyboard.press("p");
  for (const tab of ["calls", "flame", "matrix", "sizes", "clocks", "balance", "iterations", "summary"]) {
    await page.locator(`#tab-${tab}`).click();
    await page.waitForTimeout(250);
    assert.equal(await page.locator("#panel .error").count(), 0, `${tab}: ${await page.locator("#panel").textContent()}`);
    assert((await page.locator("#panel").textContent()).trim() !== "", `${tab} is empty`);
    // What a list names is a way to it.
    const links = { calls: ".next-call", matrix: "td .link", balance: "th .link" }[tab];
    if (links) await page.locator(`#panel ${links}`).first().waitFor();
    if (shots) await page.screenshot({ path: `${shots}/panel-${tab}.png` });
  }
  await page.keyboard.press("p");
  await page.locator("#tab-calls").click();
  // A simulated run has no call sites, and says so.
  await page.getByRole("button", { name: "Call site", exact: true }).click();
  await page.locator("#panel", { hasText: "No call of this window tells where in the program it stands" }).waitFor();
  assert.deepEqual(await serious(), []);
  await page.getByRole("button", { name: "Function", exact: true }).first().click();
  const before = await state();
  await page.getByRole("button", { name: /^Next call of MPI_/ }).first().click();
  assert.match((await changed(before, "selected")).selected, /^call:/);
});

await step("sums: a state leads to its longest stay, a size to its largest message, each again to the next", async () => {
  for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
  await settled();
  for (const [tab, name, leadsTo] of [
    ["summary", "Collective operations", "call:"],
    ["sizes", /^4 KiB to/, "message:"],
  ]) {
    await page.locator(`#tab-${tab}`).click();
    const row = page.locator("#panel").getByRole("button", { name });
    await row.focus();
    const before = await state();
    await page.keyboard.press("Enter");
    const first = await changed(before, "selected");
    assert(first.selected.startsWith(leadsTo), first.selected);
    await page.locator(".notice", { hasText: /, the (longest|largest) of \d+/ }).waitFor();
    await page.keyboard.press("Enter");
    const second = await changed(first, "selected");
    assert(second.selected.startsWith(leadsTo) && second.window === before.window);
    await page.locator(".notice", { hasText: /number 2 of \d+ by (length|size)/ }).waitFor();
  }
  await page.locator("#tab-summary").click();
  await page.locator("#panel").getByRole("button", { name: "Computation" }).click();
  await page.getByText("Of the marked interval").waitFor();
  await settled();
  assert.deepEqual(await serious(), []);
  if (shots) await page.screenshot({ path: `${shots}/sums-computation.png` });
  await page.locator("#panel").getByRole("button", { name: "Computation" }).click();
  await page.locator(".notice", { hasText: /number 2 of/ }).waitFor();
  for (const key of ["Escape", "Escape"]) await page.keyboard.press(key);
  await page.locator("#panel").getByRole("button", { name: /^Waiting/ }).click();
  await until("the finding of a wait", (now) => now.finding !== "");
  for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
  await settled();
});

await step("iterations: a run that does not repeat itself says so", async () => {
  await page.locator("#tab-iterations").click();
  await page.locator("#panel .empty", { hasText: "This run has no iterations: no statement" }).waitFor();
  await page.keyboard.press("i");
  await page.locator(".notice", { hasText: "This run has no iterations" }).waitFor();
  await page.locator("#tab-summary").click();
});

await step("accessibility: dark, and the help", async () => {
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  await settled();
  assert.deepEqual(await serious(), []);
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  assert.deepEqual(await serious(), []);
  if (shots) await page.screenshot({ path: `${shots}/help.png` });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
});

await step("keyboard only: select, walk along a row and over rows, follow, undo", async () => {
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  assert.equal(await page.evaluate(() => document.activeElement.id), "timelines");
  await page.keyboard.press("0");
  await settled();
  const none = await state();
  await page.keyboard.press("ArrowRight");
  const first = await changed(none, "selected");
  await page.keyboard.press("ArrowRight");
  const second = await changed(first, "selected");
  await page.keyboard.press("ArrowDown");
  const below = await changed(second, "selected");
  assert.notEqual(below.selected.split(":")[2], second.selected.split(":")[2], "the row below is another row");
  await page.keyboard.press("Control+z");
  await until("the selection from before", (now) => now.selected === second.selected);
  const reached = new Set();
  for (let i = 0; i < 150 && reached.size < 6; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.closest("header, .overview, .timelines, .side, .legend, .bottom")?.className.split(" ")[0] ?? ""));
  }
  for (const part of ["header", "side", "legend", "bottom"]) assert(reached.has(part), `Tab never reaches ${part}; it reaches ${[...reached]}`);
});

/** Where on screen the name of a row is. */
const nameOf = async (row) => {
  const box = await page.locator(".label", { has: page.getByText(row, { exact: true }) }).first().boundingBox();
  return { x: box.x + 30, y: box.y + box.height / 2 };
};

const dragged = async (row, by) => {
  const { x, y } = await nameOf(row);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y, { steps: 6 });
  await page.mouse.up();
};

/** The shifts that the server keeps. */
const kept = () =>
  page.evaluate(async () => {
    const token = localStorage.getItem("mpiscope-token");
    const answer = await fetch("api/run/0/shifts", { headers: { Authorization: `Bearer ${token}` } });
    return (await answer.json()).shifts;
  });
const untilKept = async (holds) => {
  for (let i = 0; i < 100; i++) {
    if (holds(await kept())) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`the server keeps ${JSON.stringify(await kept())}`);
};

await step("shift: a row dragged by its name moves with its arrows, and is undone", async () => {
  await page.keyboard.press("Escape");
  await page.keyboard.press("0");
  for (let i = 0; i < 12; i++) await page.keyboard.press("w");
  const before = await settled();
  assert.equal(before.shifts, "");
  assert(Number(before.arrows.split(":")[0]) > 0, "no arrows are there to move");
  await dragged("rank 3", 60);
  await until("a shift", (now) => now.shifts !== "");
  const after = await settled();
  const [from, to] = await shownWindow();
  const pixels = await page.locator("#timelines").evaluate((element) => element.clientWidth);
  const [, shift] = after.shifts.split(":");
  assert(Math.abs(Number(shift) / (((to - from) / pixels) * 60) - 1) < 0.02, `${shift} ns are not 60 pixels`);
  assert.notEqual(after.arrows, before.arrows, "the arrows stay");
  const label = page.locator(".label", { has: page.getByText("rank 3", { exact: true }) });
  assert.match(await label.textContent(), /\+\d/);
  await untilKept((shifts) => Object.values(shifts)[0] === Number(shift));
  await page.keyboard.press("Control+z");
  await until("no shift", (now) => now.shifts === "");
  assert.equal((await settled()).arrows, before.arrows);
  await page.keyboard.press("Control+Shift+z");
  await until("the shift again", (now) => now.shifts === after.shifts);
  if (shots) await page.screenshot({ path: `${shots}/shifted.png` });
});

await step("shift: kept with the run after the page is loaded again, typed exactly, reset", async () => {
  const before = await state();
  await untilKept((shifts) => Object.keys(shifts).length === 1);
  await page.reload();
  assert.equal((await settled()).shifts, before.shifts);
  await page.locator("#timelines").focus();
  await page.keyboard.press("Shift+H");
  const field = page.locator(".shifts table input");
  await field.fill("-1.234567 ms");
  await field.press("Enter");
  await until("what was typed", (now) => now.shifts.endsWith(":-1234567"));
  assert.deepEqual(await serious(), []);
  await field.fill("five");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await field.fill("2 us");
  await field.press("Enter");
  await untilKept((shifts) => Object.values(shifts)[0] === 2000);
  if (shots) await page.screenshot({ path: `${shots}/shifts-panel.png` });
  await page.getByRole("button", { name: "Reset all" }).click();
  await until("no shift", (now) => now.shifts === "");
  await untilKept((shifts) => Object.keys(shifts).length === 0);
});

await step("shift: by keyboard alone, a host with all its rows, and dragging in the mode", async () => {
  await page.keyboard.press("0");
  await page.locator("#timelines").focus();
  // A call may be selected from before: the next one must have come, or its step back lies among the nudges'.
  const before = await state();
  await page.keyboard.press("ArrowRight");
  await until("the next call", (now) => now.selected !== before.selected && now.selected.startsWith("call:"));
  await page.keyboard.press(".");
  const one = await until("a nudge", (now) => now.shifts !== "");
  await page.keyboard.press("Shift+>");
  const more = await changed(one, "shifts");
  const ns = ({ shifts }) => Number(shifts.split(":").at(-1));
  assert.equal(Math.round(ns(more) / ns(one)), 11);
  // Nudges in quick succession are one step back; on a busy machine they are two.
  await page.keyboard.press("Control+z");
  if ((await changed(more, "shifts")).shifts !== "") await page.keyboard.press("Control+z");
  await until("no shift", (now) => now.shifts === "");
  const host = await page.locator(".label.open .name").first().textContent();
  await dragged(host, -40);
  const all = await until("the shifts of a host", (now) => now.shifts.includes(","));
  const each = all.shifts.split(",").map((it) => it.split(":")[1]);
  assert(each.length > 1 && new Set(each).size === 1, all.shifts);
  await page.keyboard.press("Control+z");
  await until("no shift", (now) => now.shifts === "");
  await page.locator("#timelines").focus();
  await page.keyboard.press("h");
  await until("the mode", (now) => now.shifting === "true");
  const { y } = await nameOf("rank 1");
  const window = (await state()).window;
  await page.mouse.move(600, y);
  await page.mouse.down();
  await page.mouse.move(640, y, { steps: 4 });
  await page.mouse.up();
  assert.equal((await until("a shift", (now) => now.shifts !== "")).window, window);
  await page.keyboard.press("Escape");
  await until("no mode", (now) => now.shifting === "false");
  await page.keyboard.press("Control+z");
  await until("no shift", (now) => now.shifts === "");
  await untilKept((shifts) => Object.keys(shifts).length === 0);
  await page.locator("#tab-summary").click();
});

await step("back: the browser's Back goes back to the view from before a jump, and forward again", async () => {
  await page.keyboard.press("0");
  await page.waitForTimeout(400);
  const whole = await settled();
  await page.locator(".largest button").first().click();
  const found = await until("a finding", (now) => now.finding !== "");
  await settled();
  await page.waitForTimeout(400);
  await page.goBack();
  await until("the view from before", (now) => now.window === whole.window && now.finding === whole.finding);
  await page.goForward();
  await until("the finding again", (now) => now.finding === found.finding);
  await settled();
});

await step("findings: who follows one by pointer walks over calls with the arrow keys", async () => {
  await page.locator(".finding").first().click();
  await until("a finding", (now) => now.selected.startsWith("call:"));
  assert.equal(await page.evaluate(() => document.activeElement.id), "timelines");
  await page.locator(".finding[tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  assert(await page.evaluate(() => document.activeElement.classList.contains("finding")));
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "timelines");
});

await step("search: matches are counted as one types", async () => {
  const before = await state();
  await page.locator("#search").fill("send");
  await page.getByText(/^[1-9][\d,]* calls$/).first().waitFor();
  assert.equal((await state()).selected, before.selected, "typing selects nothing");
  await page.locator("#search").fill("");
  await page.keyboard.press("Escape");
});

await step("search: ranks, hosts, communicators, tags and findings are found by keyboard alone", async () => {
  for (const key of ["Escape", "Escape", "0"]) await page.keyboard.press(key);
  await settled();
  const list = page.locator("#found");
  const seek = async (text, option) => {
    await page.locator("#timelines").focus();
    await page.keyboard.press("/");
    await page.keyboard.type(text);
    await list.getByRole("option").filter({ hasText: option }).first().waitFor();
    for (let i = 0; i < 40 && !option.test(await list.locator("[aria-selected=true]").textContent()); i++) await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator("#search").getAttribute("aria-activedescendant"), await list.locator("[aria-selected=true]").getAttribute("id"));
  };
  await seek("rank 3", /^rank 3/);
  assert.deepEqual(await serious(), []);
  if (shots) await page.screenshot({ path: `${shots}/search-list.png` });
  await page.keyboard.press("Enter");
  await until("a call of rank 3", (now) => now.selected.startsWith("call:"));
  await page.locator(".selection", { hasText: "on rank 3" }).waitFor();
  assert(await list.isHidden());
  await seek("node1", /^node1/);
  await page.keyboard.press("Enter");
  await page.locator(".notice", { hasText: "node1 is shown." }).waitFor();
  let before = await state();
  await seek("world", /^world/);
  await page.keyboard.press("Enter");
  before = await changed(before, "selected");
  await page.locator(".selection", { hasText: "world" }).waitFor();
  await seek("late sender", /^Late sender\d/);
  await page.keyboard.press("Enter");
  await until("the heaviest of that kind", (now) => now.finding !== "");
  assert.equal(await page.locator(".kinds [aria-pressed=true]", { hasText: "Late sender" }).count(), 1);
  await page.locator(".kinds button", { hasText: "All" }).first().click();
  await page.locator("#search").fill("");
  for (const key of ["Escape", "Escape", "Escape", "0"]) await page.keyboard.press(key);
  await settled();
});

await step("narrow window: nothing is cut off", async () => {
  await page.setViewportSize({ width: 400, height: 800 });
  await settled();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  assert.deepEqual(await serious(), []);
  if (shots) await page.screenshot({ path: `${shots}/narrow.png`, fullPage: true });
  await page.setViewportSize({ width: 1440, height: 900 });
});

await step("frame times while zooming and panning", async () => {
  await page.keyboard.press("0");
  await settled();
  await page.$eval("#app", (root) => {
    window.frameTimes = [];
    new MutationObserver(() => window.frameTimes.push(Number(root.dataset.frameMs))).observe(root, { attributeFilter: ["data-frames"] });
  });
  await page.mouse.move(600, 300);
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, turn < 30 ? -120 : 120);
    await page.waitForTimeout(16);
  }
  await settled();
  const times = (await page.evaluate(() => window.frameTimes)).sort((a, b) => a - b);
  const quantile = (q) => times[Math.min(times.length - 1, Math.floor(q * times.length))];
  const { rows, calls } = await state();
  console.log(`      ${times.length} frames of ${rows} rows, ${calls} calls: median ${quantile(0.5)} ms, 95 % ${quantile(0.95)} ms, longest ${times.at(-1)} ms`);
});

await step("no request to any other host, no complaint", async () => {
  assert.deepEqual(foreign, []);
  assert.deepEqual(complaints, []);
});

// States that a healthy run does not show; the answers are changed on their way.

/** Opens the page with other answers to some questions, and without the state of the tab before. */
async function openWith(answers, look) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  const other = await context.newPage();
  const thrown = [];
  other.on("pageerror", (error) => thrown.push(String(error.stack)));
  for (const [path, answer] of Object.entries(answers)) {
    await other.route((url) => url.pathname.startsWith(`/api/${path}`), async (route) => {
      const { status = 200, json } = await answer(route);
      await route.fulfill({ status, json });
    });
  }
  await other.goto(address);
  await other.waitForSelector("#app[data-ready]");
  await look(other);
  assert.deepEqual(thrown, []);
  await context.close();
}

const shot = async (other, name) => shots && other.screenshot({ path: `${shots}/${name}.png` });

await step("wrong token: the page says what it needs", async () => {
  const refuse = () => ({ status: 401, json: { error: "the token is wrong" } });
  await openWith({ meta: refuse }, async (other) => {
    assert.match(await other.locator("main").textContent(), /The token is wrong\./);
    await shot(other, "state-wrong-token");
  });
});

await step("archive gone: the page says so and keeps what it shows", async () => {
  const gone = () => ({ status: 410, json: { error: "heat.mpiscope was changed or removed" } });
  await openWith({ "run/0/corrected/summary": gone }, async (other) => {
    await other.locator("#panel .error").waitFor();
    const alert = other.getByRole("alert");
    assert.match(await alert.textContent(), /heat\.mpiscope was changed or removed\. What is shown stays\./);
    await shot(other, "state-archive-gone");
  });
});

await step("a run without events: nothing to show, and no error", async () => {
  const empty = async (route) => {
    const json = await (await route.fetch()).json();
    const [run] = json.runs;
    Object.assign(run, { rows: [], iterations: { count: 0, reason: "no process calls MPI" }, verdict: [], notes: [], events: 0, messages: 0, reversed: {}, levels: [{ bin: 1 }] });
    for (const span of Object.values(run.spans)) span.length = 0;
    return { json: { ...json, runs: [run] } };
  };
  const nothing = { from: 0, to: 20, rows: 0, classes: new Array(9).fill(0), waiting: 0, regions: [], sites: [], places: {}, balance: [], matrix: { rows: [], count: [], bytes: [] }, sizes: [], tree: { region: null, calls: 0, time: 0, children: [] }, complete: true };
  const answers = { meta: empty, "run/0/findings": () => ({ json: { total: 0, kinds: [], findings: [] } }), "run/0/corrected": () => ({ json: nothing }), "run/0/measured": () => ({ json: nothing }), "run/0/clocks": () => ({ json: { clocks: [] } }) };
  await openWith(answers, async (other) => {
    assert.match(await other.locator(".timelines").textContent(), /nothing was recorded/);
    for (const tab of ["calls", "flame", "matrix", "sizes", "clocks", "balance", "iterations"]) {
      await other.locator(`#tab-${tab}`).click();
      await other.locator("#panel .empty").first().waitFor();
    }
    await shot(other, "state-empty");
  });
});

await browser.close();
process.exit(failures === 0 ? 0 : 1);
