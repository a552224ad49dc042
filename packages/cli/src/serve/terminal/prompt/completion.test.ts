import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../../tests/src/temporary-folder.ts";
import { terminalCommands } from "./commands.ts";
import { complete } from "./completion.ts";

function openFolder(): string {
  const folder = temporaryFolder("idewire-");
  mkdirSync(join(folder, "notes"));
  for (const name of ["notes/a b.md", "notes/plan.md", "number.txt", ".env"]) {
    writeFileSync(join(folder, name), "");
  }
  return folder;
}

test("commands complete, with the space before an argument", () => {
  expect(complete("se", terminalCommands, "/", [])).toEqual([["select ", "sessions "], "se"]);
});

test("files complete folder by folder, hidden ones when a dot was typed", () => {
  const folder = openFolder();
  const files = (typed: string) => complete(typed, terminalCommands, folder, []);
  expect(files("open n")).toEqual([["notes/", "number.txt"], "n"]);
  expect(files("mention notes/a ")).toEqual([["notes/a b.md"], "notes/a "]);
  expect(files("open .e")).toEqual([[".env"], ".e"]);
  expect(files("open missing/")).toEqual([[], "missing/"]);
});

test("a file whose name could harm the terminal is not offered", () => {
  const folder = openFolder();
  writeFileSync(join(folder, "n\x1b[2J"), "");
  expect(complete("open n", terminalCommands, folder, [])[0]).toHaveLength(2);
});

test("levels and the numbers of pending changes complete", () => {
  expect(complete("share s", terminalCommands, "/", [])).toEqual([["selection"], "s"]);
  expect(complete("accept ", terminalCommands, "/", [2, 3])).toEqual([["2", "3"], ""]);
});
