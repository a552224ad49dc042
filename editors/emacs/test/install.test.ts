import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../../tests/src/reference-clients/serve-context.ts";
import { editorCommand } from "../../test/editor-command.ts";
import { directoriesOf } from "./emacs.ts";

test("where Emacs has its directory in ~/.config, the link is there", () => {
  const workspace = openWorkspace();
  const config = join(workspace.env.HOME, ".config/emacs");
  mkdirSync(config, { recursive: true });
  expect(editorCommand(workspace, "emacs", "--install").status).toBe(0);
  expect(existsSync(join(config, "idewire/idewire.el"))).toBe(true);
});

test("the package compiles without a warning, and checkdoc finds nothing", () => {
  const file = new URL("../idewire.el", import.meta.url).pathname;
  const compile = [
    "(setq byte-compile-error-on-warn t)",
    '(setq byte-compile-dest-file-function (lambda (_) (make-temp-file "idewire" nil ".elc")))',
    `(unless (byte-compile-file "${file}") (kill-emacs 1))`,
  ];
  const words = [...compile, `(checkdoc-file "${file}")`].flatMap((form) => ["--eval", form]);
  const { status, stderr } = spawnSync("emacs", ["-Q", "--batch", ...words], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

test("package-lint finds nothing", ({ skip }) => {
  if (directoriesOf("package-lint").length === 0) skip("not run: package-lint is not installed");
  const file = new URL("../idewire.el", import.meta.url).pathname;
  const lint = `(progn (require 'package-lint)
    (with-current-buffer (find-file-noselect "${file}")
      (dolist (each (package-lint-buffer)) (princ (format "%S\n" each)))))`;
  const { status, stdout } = spawnSync("emacs", ["--batch", "--eval", lint], { encoding: "utf8" });
  // The package-lint of Debian 12 was released before Emacs 28.
  const found = stdout
    .split("\n")
    .filter((line) => !line.includes("uninstallable in all released"));
  expect([status, found]).toEqual([0, [""]]);
});
