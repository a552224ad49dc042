import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  type DiffAnswer,
  editorHostContract,
  listenForEditor,
  posixPath,
} from "../../../tests/src/editor-contract.ts";
import { openWorkspace, write } from "../../../tests/src/reference-clients/serve-context.ts";
import { Emacs, quote } from "./emacs.ts";

// The laws of every host, for Emacs behind the host protocol.

const bridge = fileURLToPath(new URL("../../socket-host.mjs", import.meta.url));

async function openEmacs() {
  const workspace = openWorkspace();
  write(workspace, "other.txt", "other\n");
  const text = "one\ntwo ü\n";
  const path = posixPath(write(workspace, "a.txt", text));
  const socket = join(workspace.fixture.root, "host.sock");
  const { editor, close } = await listenForEditor(socket);
  const emacs = new Emacs(workspace, {
    args: ["other.txt"],
    env: { IDEWIRE_TEST_SOCKET: socket },
    command: [process.execPath, bridge],
  });
  return { emacs, host: await editor, file: { path, text }, close };
}

/** Answers a diff as the person, with the buffer as it has to be. */
function answerIn(emacs: Emacs, id: string, answer: DiffAnswer): boolean {
  const buffer = `(idewire--diff-buffer (idewire--diff-of ${quote(id)}))`;
  const act = {
    accepted: `(with-current-buffer ${buffer} (idewire--fill text)) (idewire-accept ${quote(id)})`,
    rejected: `(idewire-reject ${quote(id)})`,
    closed: `(kill-buffer ${buffer})`,
  }[answer.kind];
  const text = answer.kind === "accepted" ? answer.text : "";
  const body = `(when (idewire--diff-of ${quote(id)}) (let ((text ${quote(text)})) (ignore text) ${act} t))`;
  return emacs.lisp(body) === "t";
}

editorHostContract(
  { test, expect },
  {
    name: "Emacs",
    async makeHost() {
      const { emacs, host, file, close } = await openEmacs();
      return {
        host,
        file,
        async edit(path, text) {
          const isAbove = text.endsWith(file.text) && text !== file.text;
          const inserted = isAbove ? text.slice(0, -file.text.length) : text;
          const erase = isAbove ? "" : "(erase-buffer)";
          const change = `${erase} (goto-char (point-min)) (insert ${quote(inserted)})`;
          emacs.lisp(
            `(with-current-buffer (idewire--load ${quote(path)}) (save-excursion ${change}))`,
          );
          emacs.lisp("(idewire--flush)");
          await expect.poll(() => host.read(path)).toBe(text);
        },
        async select(path, range) {
          await host.select?.(path, range);
          // Emacs itself extends the active region to lines that are inserted at its start.
          emacs.lisp(`(with-current-buffer (idewire--load ${quote(path)}) (deactivate-mark))`);
          await expect.poll(() => host.selection("latest")?.path).toBe(path);
        },
        answer: (id, answer) => answerIn(emacs, id, answer),
        dispose() {
          close();
          emacs.close();
        },
      };
    },
  },
);
