import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin } from "../../../tests/src/line-program.ts";
import {
  openWorkspace,
  type Workspace,
} from "../../../tests/src/reference-clients/serve-context.ts";

function editor({ env }: Workspace, ...flags: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [builtBin, "editor", "emacs", ...flags],
    { encoding: "utf8", env: { ...env, PATH: process.env["PATH"] ?? "" } },
  );
  return { output: stdout + stderr, lines: stdout.trimEnd().split("\n"), status };
}

/** Runs Emacs with the lines for those without use-package, and prints an expression. */
function evaluate({ env, folder }: Workspace, lines: readonly string[], expression: string) {
  const config = join(env.HOME, ".emacs.d");
  mkdirSync(config, { recursive: true });
  const [, last = ""] = lines.join("\n").split(";; Without use-package:\n;; ");
  writeFileSync(join(config, "init.el"), last);
  const words = ["--batch", "-l", join(config, "init.el"), "--eval", `(princ ${expression})`];
  const { PATH = "" } = process.env;
  const { stdout } = spawnSync("emacs", words, {
    encoding: "utf8",
    cwd: folder,
    env: { ...env, PATH },
  });
  return stdout;
}

test("the printed lines are all that Emacs needs", () => {
  const workspace = openWorkspace();
  const { lines, status } = editor(workspace);
  expect(status).toBe(0);
  const [folder = "", first, second] = lines;
  expect(existsSync(join(folder, "idewire.el"))).toBe(true);
  expect([first, second]).toEqual(["(use-package idewire", `  :load-path "${folder}"`]);
  expect(evaluate(workspace, lines, "(plist-get (idewire-status) :state)")).toBe("off");
});

test("an installed package is found, and an uninstalled one is gone", () => {
  const workspace = openWorkspace();
  const { lines, status } = editor(workspace, "--install");
  expect(status).toBe(0);
  expect(lines[2]).toBe('  :load-path "idewire"');
  expect(evaluate(workspace, lines, "idewire-mode")).toBe("t");
  expect(editor(workspace, "--install").status).toBe(0);
  expect(editor(workspace, "--uninstall").status).toBe(0);
  expect(existsSync(join(workspace.env.HOME, ".emacs.d/idewire"))).toBe(false);
  expect(editor(workspace, "--uninstall").output).toBe("there was nothing to remove\n");
});

test("where Emacs has its directory in ~/.config, the link is there", () => {
  const workspace = openWorkspace();
  const config = join(workspace.env.HOME, ".config/emacs");
  mkdirSync(config, { recursive: true });
  expect(editor(workspace, "--install").status).toBe(0);
  expect(existsSync(join(config, "idewire/idewire.el"))).toBe(true);
});

test("what another program has put in its place stays", () => {
  const workspace = openWorkspace();
  const place = join(workspace.env.HOME, ".emacs.d/idewire");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "mine"), "mine");
  for (const flag of ["--install", "--uninstall"]) {
    const { status, output } = editor(workspace, flag);
    expect(status).toBe(1);
    expect(output).toContain("is no link of idewire: remove it yourself");
  }
  expect(readFileSync(join(place, "mine"), "utf8")).toBe("mine");
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
