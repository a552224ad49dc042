import { expect, test } from "vitest";
import { keyOf, printKey, reviewKeys } from "./review-keys.ts";

const press = (keys: Partial<KeyboardEvent>, isMac = false) =>
  keyOf({ key: "", code: "", ...keys } as KeyboardEvent, isMac);

test.each([false, true])("no two actions of a review share a key (Mac: %s)", (isMac) => {
  const keys = Object.values(reviewKeys(isMac)).flat();
  expect(new Set(keys).size).toBe(keys.length);
});

test("a key has the same name with Cmd as with Ctrl", () => {
  expect(press({ key: "F7" })).toBe("F7");
  expect(press({ key: "F7", shiftKey: true })).toBe("Shift+F7");
  expect(press({ key: "a", altKey: true })).toBe("Alt+A");
  expect(press({ key: "Z", metaKey: true, shiftKey: true })).toBe("Ctrl+Shift+Z");
  expect(press({ key: "?", shiftKey: true })).toBe("?");
  expect(press({ key: " " })).toBe("Space");
});

test("a key is identified by its letter, not by the character that Option types on a Mac", () => {
  const pressed = { key: "å", code: "KeyA", ctrlKey: true, altKey: true };
  expect(press(pressed, true)).toBe(reviewKeys(true).accept[0]);
});

test.each([
  ["Ctrl+Shift+Enter", "Ctrl+Shift+Enter", "⇧⌘↩"],
  ["Ctrl+Shift+Backspace", "Ctrl+Shift+Backspace", "⇧⌘⌫"],
  ["Ctrl+K", "Ctrl+K", "⌘K"],
  ["Ctrl+Alt+R", "Ctrl+Alt+R", "⌃⌥R"],
  ["Shift+F7", "Shift+F7", "⇧F7"],
  ["ArrowLeft", "Left", "Left"],
  ["/", "/", "/"],
])("%s is printed as on the keyboard of the system", (key, elsewhere, mac) => {
  expect(printKey(key, false)).toBe(elsewhere);
  expect(printKey(key, true)).toBe(mac);
});
