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
    [builtBin, "editor", "neovim", ...flags],
    { encoding: "utf8", env: { ...env, PATH: process.env["PATH"] ?? "" } },
  );
  return { output: stdout + stderr, lines: stdout.trimEnd().split("\n"), status };
}

/** Runs Neovim with the configuration of a workspace's home, and prints a Lua expression. */
function evaluate({ env, folder }: Workspace, init: string, expression: string): string {
  const config = join(env.HOME, ".config/nvim");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "init.lua"), init);
  const words = [
    "--headless",
    "-c",
    `lua io.stdout:write(tostring(${expression}))`,
    "-c",
    "quitall!",
  ];
  const { PATH = "" } = process.env;
  const { stdout } = spawnSync("nvim", words, {
    encoding: "utf8",
    cwd: folder,
    env: { ...env, PATH },
  });
  return stdout;
}

test("the printed lines are all that Neovim needs", () => {
  const workspace = openWorkspace();
  const { lines, status } = editor(workspace);
  expect(status).toBe(0);
  const [folder = "", ...init] = lines;
  expect(existsSync(join(folder, "lua/idewire/init.lua"))).toBe(true);
  expect(evaluate(workspace, init.join("\n"), 'require("idewire").status().state')).toBe("off");
});

test("an installed plugin is found, and an uninstalled one is gone", () => {
  const workspace = openWorkspace();
  const { lines, status } = editor(workspace, "--install");
  expect(status).toBe(0);
  const init = lines.slice(1).join("\n");
  expect(evaluate(workspace, init, 'vim.fn.exists(":Idewire")')).toBe("2");
  expect(editor(workspace, "--install").status).toBe(0);
  expect(editor(workspace, "--uninstall").status).toBe(0);
  expect(evaluate(workspace, "", 'vim.fn.exists(":Idewire")')).toBe("0");
  expect(editor(workspace, "--uninstall").output).toBe("there was nothing to remove\n");
});

test("what another program has put in its place stays", () => {
  const workspace = openWorkspace();
  const place = join(workspace.env.HOME, ".local/share/nvim/site/pack/idewire/start/idewire");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "mine"), "mine");
  for (const flag of ["--install", "--uninstall"]) {
    const { status, output } = editor(workspace, flag);
    expect(status).toBe(1);
    expect(output).toContain("is no link of idewire: remove it yourself");
  }
  expect(readFileSync(join(place, "mine"), "utf8")).toBe("mine");
});
