import { expect, test } from "vitest";
import { openSession } from "../../test/session.ts";
import { Emacs, quote } from "./emacs.ts";

const open = (text: string) =>
  openSession((workspace, file) => new Emacs(workspace, { files: [file] }), text);

test("under narrowing, lines are counted from the start of the file", async () => {
  const { editor, client, selected } = await open("one\ntwo\nthree\n");
  editor.evaluate('(with-current-buffer "a.txt" (narrow-to-region 5 9))');
  editor.keys("M-<", "C-Space", "C-e");
  await selected("two");
  expect(editor.read("ranges")).toMatchObject([{ start: { line: 1, character: 0 } }]);
  await client.exit();
});

test("positions beyond a line or the file are clamped to their ends", async () => {
  const { editor, client, path } = await open("one\ntwo\n");
  const range = "(:start (:line 0 :character 99) :end (:line 99 :character 9))";
  editor.evaluate(`(idewire--answer "host/select" (list :path ${quote(path)} :range '${range}))`);
  await editor.untilValue('(with-current-buffer "a.txt" (list (mark t) (point)))', "(4 9)");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("each of several cursors has its range", async () => {
  const { editor, client } = await open("one\ntwo\nthree\n");
  // The overlays of multiple-cursors.el, which Debian does not package.
  editor.evaluate(`(with-current-buffer "a.txt"
    (defvar multiple-cursors-mode t)
    (let ((overlay (make-overlay 5 5)))
      (overlay-put overlay 'type 'fake-cursor)
      (overlay-put overlay 'mark-active t)
      (overlay-put overlay 'point (copy-marker 8))
      (overlay-put overlay 'mark (copy-marker 5))))`);
  editor.selectLine();
  await expect
    .poll(() => editor.read("ranges"))
    .toMatchObject([
      { start: { line: 0, character: 0 }, text: "one" },
      { start: { line: 1, character: 0 }, text: "two" },
    ]);
  await client.exit();
});
