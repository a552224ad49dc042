import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace, write } from "../../../tests/src/reference-clients/serve-context.ts";
import { locksOf } from "../../test/terminal.ts";
import { directoriesOf, Emacs } from "./emacs.ts";

test.for([
  { terminal: "vterm", directories: directoriesOf("vterm", "vterm-module") },
  { terminal: "eat", directories: directoriesOf("eat") },
])("an agent runs in $terminal", async ({ terminal, directories }, { skip }) => {
  if (directories.length === 0) skip(`not run: ${terminal} is not installed`);
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const script = join(workspace.fixture.root, "claude");
  writeFileSync(
    script,
    '#!/bin/sh\necho "at port $CLAUDE_CODE_SSE_PORT"\nread line\necho "<$line>"\nsleep 600\n',
  );
  chmodSync(script, 0o755);
  const paths = directories.map((each) => JSON.stringify(each)).join(" ");
  const emacs = new Emacs(workspace, {
    files: ["a.txt"],
    code: `(setq load-path (append '(${paths}) load-path))`,
    env: {
      PATH: `${dirname(script)}:${process.env["PATH"] ?? ""}`,
      // Without any other packages.
      EMACSLOADPATH: ":",
    },
  });
  await emacs.untilListening();
  emacs.runAgent();
  const [port] = locksOf(workspace)[0]?.split(".") ?? [];
  await emacs.shows(`at port ${port}`);
  expect(emacs.evaluate(`(buffer-local-value 'major-mode (get-buffer "*idewire claude*"))`)).toBe(
    `${terminal}-mode`,
  );
  emacs.type("typed");
  emacs.keys("Enter");
  await emacs.shows("<typed>");
});

test("remote files are not sent", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { files: ["a.txt"] });
  await emacs.untilListening();
  const remote = '(setq buffer-file-name "/ssh:x:/a.txt")';
  expect(emacs.evaluate(`(with-temp-buffer ${remote} (idewire--path))`)).toBe("nil");
});
