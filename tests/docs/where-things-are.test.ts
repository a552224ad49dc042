import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");

/** The files and folders in CONTRIBUTING's tables, such as `core/src/rpc`. */
function namedPlaces(): readonly string[] {
  const page = readFileSync(`${root}CONTRIBUTING.md`, "utf8");
  const [, chapter = ""] = /^## Where things are\n(.*?)^## Words/ms.exec(page) ?? [];
  const rows = chapter.split("\n").filter((line) => line.startsWith("| "));
  return rows.flatMap((row) => row.match(/(?<=`)[\w-]+(?:\/[\w.<>-]+)+(?=`)/g) ?? []);
}

/** Whether a place exists, from the root or in `packages`; `<tool>` stands for any name. */
function exists(place: string): boolean {
  const name = place.replace(/[.]/g, "\\.").replace(/<\w+>/g, "[^/]+");
  const pattern = new RegExp(`^(packages/)?${name}(/|$)`);
  return listed.some((path) => pattern.test(path));
}

test("each file and folder that CONTRIBUTING names in its tables exists", () => {
  expect(namedPlaces().length).toBeGreaterThan(60);
  expect(namedPlaces().filter((place) => !exists(place))).toEqual([]);
});
