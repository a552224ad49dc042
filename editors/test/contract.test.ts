import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { editorHostContract, listenForEditor, posixPath } from "../../tests/src/editor-contract.ts";
import { openWorkspace, write } from "../../tests/src/reference-clients/serve-context.ts";
import { kind } from "./kind.ts";

// The laws of every host, for an editor behind the host protocol.

const bridge = fileURLToPath(new URL("socket-host.mjs", import.meta.url));

async function openEditor() {
  const workspace = openWorkspace();
  write(workspace, "other.txt", "other\n");
  const text = "one\ntwo ü\n";
  const path = posixPath(write(workspace, "a.txt", text));
  const socket = join(workspace.fixture.root, "host.sock");
  const { editor: host, close } = await listenForEditor(socket);
  const editor = kind.start(workspace, {
    files: ["other.txt"],
    env: { IDEWIRE_TEST_SOCKET: socket },
    command: [process.execPath, bridge],
  });
  return { editor, host: await host, file: { path, text }, close };
}

editorHostContract(
  { test, expect },
  {
    name: kind.name,
    async makeHost() {
      const { editor, host, file, close } = await openEditor();
      return {
        host,
        file,
        async edit(path, text) {
          const isAbove = text.endsWith(file.text) && text !== file.text;
          if (isAbove) editor.edit(path, text.slice(0, -file.text.length), "above");
          else editor.edit(path, text, "all");
          await expect.poll(() => host.read(path)).toBe(text);
        },
        async select(path, range) {
          await host.select?.(path, range);
          await editor.deselect(path);
          await expect.poll(() => host.selection("latest")?.path).toBe(path);
        },
        answer: (id, answer) => editor.answer(id, answer),
        dispose() {
          close();
          editor.close();
        },
      };
    },
  },
);
