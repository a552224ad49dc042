import { expect, test } from "vitest";
import { findReviewKey, listReviewKeys, printReviewKey } from "./keys.ts";

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, code: "" };
const press = (keys: Partial<KeyboardEvent>, isMac = false) =>
  findReviewKey({ ...none, ...keys } as KeyboardEvent, isMac);

test("a key has one action, with exactly its modifiers, and Cmd counts as Ctrl", () => {
  expect(press({ key: "F7" })).toBe("next");
  expect(press({ key: "F7", shiftKey: true })).toBe("previous");
  expect(press({ key: "Enter", ctrlKey: true })).toBe("acceptHunk");
  expect(press({ key: "Enter", metaKey: true, shiftKey: true })).toBe("accept");
  expect(press({ key: "a", altKey: true })).toBe("accept");
  expect(press({ key: "å", code: "KeyA", altKey: true, ctrlKey: true }, true)).toBe("accept");
  expect(press({ key: "r", altKey: true })).toBe("reject");
  expect(press({ key: "Backspace", ctrlKey: true, shiftKey: true })).toBe("rejectHunk");
  expect(press({ key: "z", ctrlKey: true })).toBe("undo");
  expect(press({ key: "Z", metaKey: true, shiftKey: true })).toBe("redo");
});

test.each<Partial<KeyboardEvent>>([
  { key: "Enter" },
  { key: "Backspace", ctrlKey: true },
  { key: "z" },
  { key: "F7", ctrlKey: true },
  { key: "Enter", ctrlKey: true, altKey: true },
  { key: "constructor", ctrlKey: true },
])("%j is left to the editor or the app", (keys) => {
  expect(press(keys)).toBeUndefined();
});

test("Option with a letter types a character on a Mac", () => {
  expect(press({ key: "å", code: "KeyA", altKey: true }, true)).toBeUndefined();
});

test("keys are printed as on the keyboard of the system", () => {
  const print = (isMac: boolean) => listReviewKeys(isMac).flatMap(({ keys }) => keys);
  expect(print(false)).toContain("Ctrl+Shift+Enter");
  expect(print(true)).toContain("⇧⌘↩");
  expect(printReviewKey("reject", false)).toBe("Alt+R");
  expect(printReviewKey("reject", true)).toBe("⌃⌥R");
});
