import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { Emacs, type EmacsOptions } from "./emacs.ts";

async function open(options: EmacsOptions = {}, workspace: Workspace = openWorkspace()) {
  const path = write(workspace, "a.md", "one\ntwo\nthree\n");
  const emacs = new Emacs(workspace, { args: ["a.md"], ...options });
  await emacs.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  return { workspace, path, emacs, client };
}

const pending = "(length (idewire-pending-diffs))";
const windows = "(length (window-list))";
const shown = "proposal by Claude Code";
const changed = "one\nTWO\nthree\n";
const buffers = `(length (seq-filter (lambda (buffer) (string-match-p "proposal\\\\|ediff-\\\\|Control Panel\\\\|differences" (buffer-name buffer))) (buffer-list)))`;

test.each(["idewire-review-ediff", "idewire-review-diff"])(
  "in %s, C-c C-c accepts a change, the file is reloaded, and the windows are as they were",
  async (review) => {
    const { path, emacs, client } = await open({
      lisp: `(setq idewire-review-function #'${review})`,
    });
    emacs.keys("C-x", "3");
    const edit = client.edit(path, changed);
    await emacs.shows(shown);
    emacs.keys("C-c", "C-c");
    expect(await edit.result).toMatchObject({ by: "ide", written: changed });
    await emacs.until(windows, "2");
    await emacs.until('(with-current-buffer "a.md" (buffer-string))', '"one\\nTWO\\nthree\\n"');
    await emacs.until(buffers, "0");
    await client.exit();
    expect(client.violations).toEqual([]);
  },
);

test("what the person edits in a proposal is what the agent writes", async () => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  emacs.keys("C-x", "o", "C-x", "o", "M->");
  emacs.type("four");
  emacs.keys("Enter", "C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: `${changed}four\n` });
  await emacs.until(windows, "1");
  await client.exit();
});

test("C-c C-k rejects a change", async () => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  emacs.keys("C-c", "C-k");
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  await client.exit();
});

test.each([
  ["leaving Ediff", ["q", "y"]],
  ["showing other windows", ["C-x", "o", "C-x", "b", "a.md", "Enter", "C-x", "1"]],
])("%s leaves the change waiting, and one line says so", async (_, keys) => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  for (const key of keys) emacs.keys(key);
  await emacs.shows("idewire: the change to a.md still waits (M-x idewire-diffs)");
  await emacs.until(windows, "1");
  emacs.command("idewire-diffs");
  await emacs.shows(shown);
  emacs.command("idewire-accept");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await client.exit();
});

test("a killed proposal is closed without an answer", async () => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  emacs.lisp('(kill-buffer "*proposal a.md*")');
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await emacs.until(pending, "0");
  await emacs.until(windows, "1");
  await emacs.until(buffers, "0");
  await client.exit();
});

test("a person who types keeps the focus; the review opens when the cursor moves on", async () => {
  const { path, emacs, client } = await open();
  emacs.keys("M->");
  emacs.type("my own words");
  const edit = client.edit(path, changed);
  await emacs.shows("Claude Code proposes a change to a.md");
  emacs.type(" and more");
  await emacs.shows("my own words and more");
  emacs.keys("C-a");
  await emacs.shows(shown);
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await emacs.shows("your unsaved text is kept");
  expect(emacs.lisp('(with-current-buffer "a.md" (buffer-string))')).toContain("words and more");
  await client.exit();
});

test("an answer in the terminal closes the review", async () => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await emacs.until(windows, "1");
  await emacs.until(buffers, "0");
  await client.exit();
});

test("a file that has changed since is named before a change of it is accepted", async () => {
  const { path, emacs, client } = await open();
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  writeFileSync(path, "someone else\n");
  emacs.keys("C-c", "C-c");
  await emacs.shows("a.md has changed since this change was proposed");
  expect(emacs.lisp(pending)).toBe("1");
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await client.exit();
});

test("proposals keep every byte", async () => {
  const { workspace, emacs, client } = await open();
  const texts = [
    ...["\n", "a", "a\n", "a\r\nb\r\n", "a\r\nb", "a\nb\r\n", "\ufeffa\n", "\ufeffa\r\n", "a\rb\n"],
    "\u{1F680}\u2028\n\n\n",
  ];
  for (const [index, text] of texts.entries()) {
    const path = join(workspace.folder, `exact${index}.txt`);
    const edit = client.edit(path, text);
    await emacs.until(pending, "1");
    emacs.lisp("(idewire-accept)");
    expect(await edit.result).toMatchObject({ by: "ide", written: text });
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  await client.exit();
});

test("a text that Emacs cannot read is no decision", async () => {
  const { workspace, client } = await open();
  const edit = client.edit(join(workspace.folder, "nul.txt"), "a\u0000b\n");
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await client.exit();
});

test("several changes wait in order", async () => {
  const { path, emacs, client } = await open();
  const first = client.edit(path, "first\n");
  await emacs.shows(shown);
  const second = client.edit(join(path, "..", "b.md"), "second\n");
  await emacs.until(pending, "2");
  emacs.keys("C-c", "C-c");
  expect(await first.result).toMatchObject({ written: "first\n" });
  await emacs.shows("second");
  emacs.keys("C-c", "C-c");
  expect(await second.result).toMatchObject({ written: "second\n" });
  await client.exit();
});

test("without a review function the agent asks in its terminal", async () => {
  const { path, client } = await open({ lisp: "(setq idewire-review-function nil)" });
  const edit = client.edit(path, changed);
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal", written: changed });
  await client.exit();
});

test("side windows survive a review", async () => {
  const { path, emacs, client } = await open();
  emacs.lisp(`(display-buffer-in-side-window (get-buffer-create "side") '((side . left)))`);
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  expect(emacs.lisp('(window-live-p (get-buffer-window "side"))')).toBe("t");
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide" });
  await emacs.until(windows, "2");
  expect(emacs.lisp('(window-live-p (get-buffer-window "side"))')).toBe("t");
  await client.exit();
});

test("a proposal runs no hooks, no local variables and no macros", async () => {
  const lisp = `(defvar ran nil)
    (dolist (hook '(emacs-lisp-mode-hook prog-mode-hook after-change-major-mode-hook))
      (add-hook hook (lambda () (when (bound-and-true-p idewire-review-of) (push hook ran)))))
    (define-globalized-minor-mode eager-mode visual-line-mode
      (lambda () (when (string-match-p "proposal" (buffer-name)) (push 'eager ran))))
    (eager-mode 1)
    (setq enable-local-variables :all enable-local-eval t)`;
  const { workspace, emacs, client } = await open({ lisp });
  const text = `;;; -*- eval: (push 'eval ran) -*-
(defmacro m () (push 'macro ran))
(m)
;; Local Variables:
;; eval: (push 'local ran)
;; End:
`;
  const edit = client.edit(join(workspace.folder, "evil.el"), text);
  await emacs.shows("proposal by Claude Code");
  await emacs.until('(with-current-buffer "*proposal evil.el*" major-mode)', "emacs-lisp-mode");
  emacs.keys("C-x", "o", "C-x", "o", "C-n", "C-n");
  expect(emacs.lisp("ran")).toBe("nil");
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: text });
  await client.exit();
});

test("a proposal of three megabytes arrives in time", async () => {
  const { workspace, emacs, client } = await open({
    lisp: "(setq idewire-review-function #'ignore)",
  });
  const text = `${"x".repeat(99)}\n`.repeat(30_000);
  const path = join(workspace.folder, "large.txt");
  const edit = client.edit(path, text);
  await emacs.until(pending, "1");
  emacs.lisp("(idewire-accept)");
  expect(await edit.result).toMatchObject({ by: "ide" });
  expect(readFileSync(path, "utf8") === text).toBe(true);
  await client.exit();
});

test("a review opens in the tab in use, and leaves the others as they are", async () => {
  const { path, emacs, client } = await open();
  emacs.keys("C-x", "3", "C-x", "t", "2");
  await emacs.until("(length (funcall tab-bar-tabs-function))", "2");
  const before = Number(emacs.lisp(windows));
  const edit = client.edit(path, changed);
  await emacs.shows(shown);
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await emacs.until(windows, String(before));
  emacs.lisp("(tab-bar-select-tab 1)");
  await emacs.until(windows, "2");
  await client.exit();
});
