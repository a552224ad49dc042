import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { toNativePath } from "@idewire/core";
import { fakeEditorHost } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { hostOf, useListeners } from "../../../../tests/src/listening-fixture.ts";
import { RawClient } from "../../../../tests/src/raw-client.ts";

const at = useListeners();

test("a diff of a folder is refused at once, by its name or a link, and reaches no editor", async () => {
  const { openDiff } = fakeEditorHost();
  const opened: string[] = [];
  const host = {
    ...hostOf(at.folder),
    openDiff: (...call: Parameters<typeof openDiff>) => {
      opened.push(toNativePath(call[0].path, "posix"));
      return openDiff(...call);
    },
  };
  const notes = join(at.folder, "notes");
  await mkdir(notes);
  await symlink(notes, join(at.folder, "link"));
  const listener = await at.listen({ host });
  const agent = await RawClient.ready(listener.endpoints[0]?.lockFile ?? "");
  const propose = (path: string) => {
    const paths = { old_file_path: path, new_file_path: path };
    return agent.callTool("openDiff", { ...paths, new_file_contents: "x", tab_name: path });
  };
  for (const path of [notes, join(at.folder, "link"), at.folder]) {
    const answer = await propose(path);
    expect(JSON.stringify(answer)).toContain(`${path} is a folder; name a file`);
  }
  expect(opened).toEqual([]);
  // The answer must not disclose whether a path outside is a folder.
  for (const path of [join(notes, "new.md"), at.home, join(at.home, "missing")]) {
    void propose(path).catch(() => undefined);
    await expect.poll(() => opened.at(-1)).toBe(path);
  }
});
