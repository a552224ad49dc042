import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PosixPath } from "@idewire/core";
import { fakeEditorHost } from "@idewire/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../../../tests/src/temporary-folder.ts";
import { watchWrites } from "./host-writes.ts";

function open() {
  const folder = realpathSync(temporaryFolder("idewire-host-writes-"));
  const at = (name: string) => join(folder, name) as PosixPath;
  for (const name of ["a", "b", "c"]) {
    mkdirSync(at(name));
    writeFileSync(at(`${name}/x.md`), "old\n");
  }
  const editor = fakeEditorHost();
  const show = (...names: readonly string[]) =>
    editor.setDocuments(
      names.map((name) => ({
        ...{ path: at(name), uri: `file://${at(name)}`, languageId: "markdown", label: name },
        ...{ dirty: false, untitled: false, active: false, visible: true, lastFocusedMs: 0 },
      })),
    );
  show("a/x.md", "b/x.md");
  const { host, close } = watchWrites(editor);
  onTestFinished(close);
  const written = new Set<string>();
  host.on("written", (paths) => {
    for (const path of paths) written.add(path.slice(folder.length + 1));
  });
  const write = (name: string) => writeFileSync(at(name), `${Math.random()}\n`);
  return { at, host, show, write, written };
}

test("a document is watched while it is open, and no longer", async () => {
  const { show, write, written } = open();
  write("a/x.md");
  await expect.poll(() => [...written]).toEqual(["a/x.md"]);
  show("b/x.md", "c/x.md");
  written.clear();
  for (const name of ["a/x.md", "b/x.md", "c/x.md"]) write(name);
  await expect.poll(() => [...written].sort()).toEqual(["b/x.md", "c/x.md"]);
  show("a/x.md");
  written.clear();
  for (const name of ["a/x.md", "b/x.md"]) write(name);
  await expect.poll(() => [...written]).toEqual(["a/x.md"]);
});

test("a file that an agent is about to write is watched when its document is closed", async () => {
  const { at, host, show, write, written } = open();
  await host.fileVersion?.(at("a/x.md"));
  show();
  write("b/x.md");
  write("a/x.md");
  await expect.poll(() => [...written]).toEqual(["a/x.md"]);
});
