import { expect, test } from "vitest";
import { inOneLine } from "./one-line.ts";

test("a text becomes one line, and is not cut inside a character", () => {
  expect(inOneLine(" one\n\ttwo ", 100)).toBe("one two");
  expect(inOneLine("ab😀", 3)).toBe("ab");
  expect(inOneLine("ab😀", 4)).toBe("ab😀");
});
