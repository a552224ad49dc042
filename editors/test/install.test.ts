import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin } from "../../tests/src/line-program.ts";
import { openWorkspace } from "../../tests/src/reference-clients/serve-context.ts";
import { editorCommand } from "./editor-command.ts";
import { kind } from "./kind.ts";

test("the editor needs only the printed lines", () => {
  const workspace = openWorkspace();
  const { lines, status } = editorCommand(workspace, kind.word);
  expect(status).toBe(0);
  expect(existsSync(join(lines[0] ?? "", kind.entry))).toBe(true);
  expect(kind.configuredState(workspace, lines)).toBe("off");
});

test("an installed plugin is found, an uninstalled one is not", () => {
  const workspace = openWorkspace();
  const { lines, status } = editorCommand(workspace, kind.word, "--install");
  expect(status).toBe(0);
  expect(kind.configuredState(workspace, lines)).toBe("off");
  expect(editorCommand(workspace, kind.word, "--install").status).toBe(0);
  expect(editorCommand(workspace, kind.word, "--uninstall").status).toBe(0);
  expect(existsSync(join(workspace.env.HOME, kind.place))).toBe(false);
  expect(kind.configuredState(workspace, lines)).not.toBe("off");
  expect(editorCommand(workspace, kind.word, "--uninstall").output).toBe(
    "there was nothing to remove\n",
  );
});

test("the plugin has the version of the command", () => {
  const workspace = openWorkspace();
  const [folder = ""] = editorCommand(workspace, kind.word).lines;
  const { stdout } = spawnSync(process.execPath, [builtBin, "--version"], { encoding: "utf8" });
  for (const { file, pattern } of kind.versions) {
    const [, version] = pattern.exec(readFileSync(join(folder, file), "utf8")) ?? [];
    expect(version).toBe(stdout.trim());
  }
});

test("a file that another program put in its place is not removed", () => {
  const workspace = openWorkspace();
  const place = join(workspace.env.HOME, kind.place);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "mine"), "mine");
  for (const flag of ["--install", "--uninstall"]) {
    const { status, output } = editorCommand(workspace, kind.word, flag);
    expect(status).toBe(1);
    expect(output).toContain("is not a link of idewire: remove it yourself");
  }
  expect(readFileSync(join(place, "mine"), "utf8")).toBe("mine");
});
