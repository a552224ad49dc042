import { expect, test } from "vitest";
import { openSession } from "../../test/session.ts";
import { Emacs, emacs as kind } from "./emacs.ts";

const recordsDiffs = `(defvar test-events nil)
(add-hook 'idewire-diff-opened-hook (lambda (diff) (push (plist-get diff :agent) test-events)))
(add-hook 'idewire-diff-closed-hook (lambda (_) (push (length (idewire-pending-diffs)) test-events)))`;

test("diffs run hooks, and the mode line counts agents and diffs", async () => {
  const { path, editor, client } = await openSession(
    (workspace, file) => new Emacs(workspace, { files: [file], code: recordsDiffs }),
    "one\ntwo\nthree\n",
    "a.md",
  );
  await editor.untilValue("(idewire-mode-line)", '" idewire:1"');
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await editor.shows(kind.review);
  expect(editor.evaluate("(idewire-mode-line)")).toBe('" idewire:1!1"');
  editor.reject();
  await edit.result;
  await editor.untilValue("(idewire-mode-line)", '" idewire:1"');
  expect(editor.evaluate("test-events")).toBe('(0 "Claude Code")');
  await client.exit();
  await editor.untilValue("(idewire-mode-line)", '" idewire"');
});
