import { expect, test } from "vitest";
import { findFiles, toFileNames } from "./find-files.ts";

const names = toFileNames(["src/beds.ts", "src/beds/index.ts", "docs/Beds", "b/e/d/s.md", "a.md"]);

test.each([
  ["beds", ["docs/Beds", "src/beds.ts", "src/beds/index.ts", "b/e/d/s.md"]],
  ["beds src", ["src/beds.ts", "src/beds/index.ts"]],
  ["sbi", ["src/beds/index.ts"]],
  ["none", []],
  [" ", names.paths],
])("%j finds names first, then folders, then letters in order", (typed, found) => {
  expect(findFiles(names, typed)).toEqual(found);
});
