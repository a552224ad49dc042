import { join } from "node:path";
import { expect, test } from "vitest";
import type { EditorOptions } from "../../test/editor.ts";
import { openSession } from "../../test/session.ts";
import { Emacs, emacs as kind } from "./emacs.ts";

const open = (options: EditorOptions = {}) =>
  openSession(
    (workspace, file) => new Emacs(workspace, { files: [file], ...options }),
    "one\ntwo\nthree\n",
    "a.md",
  );

const changed = "one\nTWO\nthree\n";
const buffers = `(length (seq-filter (lambda (buffer) (string-match-p "proposal\\\\|ediff-\\\\|Control Panel\\\\|differences" (buffer-name buffer))) (buffer-list)))`;

test.each(["idewire-review-ediff", "idewire-review-diff"])(
  "%s leaves no buffer behind, whether accepted or answered elsewhere",
  async (review) => {
    const { path, editor, client } = await open({
      code: `(setq idewire-review-function #'${review})`,
    });
    const edit = client.edit(path, changed);
    await editor.shows(kind.review);
    editor.accept();
    expect(await edit.result).toMatchObject({ by: "ide", written: changed });
    await editor.until("windows", 1);
    await editor.untilValue(buffers, "0");
    const again = client.edit(path, "again\n");
    await editor.shows(kind.review);
    again.answerInTerminal("accept");
    expect(await again.result).toMatchObject({ by: "terminal" });
    await editor.untilValue(buffers, "0");
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);

test("a discarded proposal leaves no buffer behind", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.discardProposal();
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await editor.untilValue(buffers, "0");
  await client.exit();
});

test("a text that Emacs cannot read is not a decision", async () => {
  const { workspace, client } = await open();
  const edit = client.edit(join(workspace.folder, "nul.txt"), "a\u0000b\n");
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await client.exit();
});

test("side windows survive a review", async () => {
  const { path, editor, client } = await open();
  editor.evaluate(`(display-buffer-in-side-window (get-buffer-create "side") '((side . left)))`);
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  expect(editor.evaluate('(window-live-p (get-buffer-window "side"))')).toBe("t");
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide" });
  await editor.until("windows", 2);
  expect(editor.evaluate('(window-live-p (get-buffer-window "side"))')).toBe("t");
  await client.exit();
});

test("a proposal runs no hooks, no local variables and no macros", async () => {
  const code = `(defvar ran nil)
    (dolist (hook '(emacs-lisp-mode-hook prog-mode-hook after-change-major-mode-hook))
      (add-hook hook (lambda () (when (bound-and-true-p idewire-review-of) (push hook ran)))))
    (define-globalized-minor-mode eager-mode visual-line-mode
      (lambda () (when (string-match-p "proposal" (buffer-name)) (push 'eager ran))))
    (eager-mode 1)
    (setq enable-local-variables :all enable-local-eval t)`;
  const { workspace, editor, client } = await open({ code });
  const text = `;;; -*- eval: (push 'eval ran) -*-
(defmacro m () (push 'macro ran))
(m)
;; Local Variables:
;; eval: (push 'local ran)
;; End:
`;
  const edit = client.edit(join(workspace.folder, "evil.el"), text);
  await editor.shows(kind.review);
  await editor.untilValue(
    '(with-current-buffer "*proposal evil.el*" major-mode)',
    "emacs-lisp-mode",
  );
  editor.keys("C-x", "o", "C-x", "o", "C-n", "C-n");
  expect(editor.evaluate("ran")).toBe("nil");
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: text });
  await client.exit();
});

test("a review opens in the tab in use, and leaves the others as they are", async () => {
  const { path, editor, client } = await open();
  editor.keys("C-x", "3", "C-x", "t", "2");
  await editor.untilValue("(length (funcall tab-bar-tabs-function))", "2");
  const before = editor.read("windows");
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await editor.until("windows", before);
  editor.evaluate("(tab-bar-select-tab 1)");
  await editor.until("windows", 2);
  await client.exit();
});
