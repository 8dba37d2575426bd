import { expect, test } from "vitest";
import { KEYS, keyFor } from "../src/keys";

const press = (key: string, held: Partial<Record<"ctrlKey" | "shiftKey" | "altKey" | "metaKey", boolean>> = {}) => keyFor({ key, ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...held }, true);

test("every key of the help does what the help says", () => {
  for (const entry of KEYS) {
    for (const key of entry.keys) {
      const found = press(key, { ctrlKey: entry.ctrl ?? false, shiftKey: entry.shift ?? false });
      expect(found, entry.shown).toBe(entry);
    }
    expect(entry.help).toMatch(/^[A-Z][a-z].*[^.]$/);
  }
});

test("no two keys have the same name in the help", () => {
  expect(new Set(KEYS.map(({ shown }) => shown)).size).toBe(KEYS.length);
});

test("the browser keeps its own keys", () => {
  expect(press("r", { ctrlKey: true })).toBeUndefined();
  expect(press("w", { altKey: true })).toBeUndefined();
  expect(press("F5")).toBeUndefined();
});

test("arrow keys belong to lists unless the time lines have the focus", () => {
  const arrow = { key: "ArrowDown", ctrlKey: false, shiftKey: false, altKey: false, metaKey: false };
  expect(keyFor(arrow, false)).toBeUndefined();
  expect(keyFor(arrow, true)?.shown).toBe("↓");
});

test("a question mark needs Shift on many keyboards", () => {
  expect(press("?", { shiftKey: true })?.shown).toBe("?");
  expect(press("W", { shiftKey: true })).toBeUndefined();
});
