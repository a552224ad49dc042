import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DiffOutcome, PosixPath, Range } from "@idewire/core";
import { editorHostContract, fakeEditorHost, posixPath } from "@idewire/core/testing";
import { openFolderHost } from "@idewire/node-server/folder-host";
import { expect, test } from "vitest";

const runner = { test, expect };
const text = "first line ✓\nsecond line\n";

/** The part of a text from one position to another. */
function slice(whole: string, { start, end }: Range): string {
  const lines = whole.split("\n");
  const offset = ({ line, character }: Range["start"]) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, character);
  return whole.slice(offset(start), offset(end));
}

editorHostContract(runner, {
  name: "fakeEditorHost",
  makeHost() {
    const host = fakeEditorHost();
    const file = { path: posixPath("/work/notes.txt"), text };
    host.writeFile(file.path, text);
    return {
      host,
      file,
      edit: (path: PosixPath, unsaved: string) => host.edit(path, unsaved),
      select: (path: PosixPath, range: Range) =>
        host.setSelection({ path, ranges: [{ ...range, text: slice(text, range) }], primary: 0 }),
      answer: (id: string, outcome: DiffOutcome) =>
        outcome.kind !== "cancelled" && host.answer(id, outcome),
    };
  },
});

editorHostContract(runner, {
  name: "folder host",
  async makeHost() {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "idewire host ✓ ")));
    await writeFile(join(folder, "notes.txt"), text);
    const host = await openFolderHost(folder);
    return {
      host,
      file: { path: posixPath(`${host.folder}/notes.txt`), text },
      edit: async (path: PosixPath, unsaved: string) => {
        await host.open(path);
        await host.edit(path, unsaved);
      },
      select: (path: PosixPath, range: Range) => host.setSelection(path, range),
      answer: (id: string, outcome: DiffOutcome) => host.answerDiff(id, outcome),
      dispose: async () => {
        await host.close();
        await rm(folder, { recursive: true });
      },
    };
  },
});
