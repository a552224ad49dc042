import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linuxLaunches, macScript, windowsLaunches } from "./terminals.ts";

const folders = ["Notes", '-n it\'s "a" $(exit 3) `id` ;&| %PATH% \\ * Ä🌱', "a\nb"];

/** The option that precedes the command in the arguments of each terminal, according to its manual. */
const synopsis: Readonly<Record<string, string>> = {
  "xdg-terminal-exec": "",
  "x-terminal-emulator": "-e",
  "gnome-terminal": "--",
  ptyxis: "--",
  konsole: "-e",
  "xfce4-terminal": "-x",
  kitty: "",
  alacritty: "-e",
  xterm: "-e",
};

let root: string;
const bin = () => join(root, "bin");
const record = () => readFileSync(join(root, "record"), "utf8");

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-terminal-")));
  mkdirSync(bin());
  for (const name of ["sh", "bash"]) symlinkSync(`/bin/${name}`, join(bin(), name));
  for (const name of ["rm", "rmdir", "dirname"]) symlinkSync(`/usr/bin/${name}`, join(bin(), name));
});

afterEach(() => rmSync(root, { recursive: true }));

function addProgram(name: string, script: string): string {
  const path = join(bin(), name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function addAgent(name: string): void {
  addProgram(name, `printf '%s|' ${name} "$@" "$PWD" > '${root}/record'`);
}

function run(command: string, args: readonly string[], shell: string): void {
  const env = { PATH: bin(), HOME: root, SHELL: shell };
  execFileSync(command, args, { env, cwd: "/", stdio: "ignore" });
}

describe.each(folders)("in the folder %j", (name) => {
  const folder = () => join(root, name);

  beforeEach(() => mkdirSync(folder()));

  test("a command for a terminal on Linux runs the agent there, in any login shell", () => {
    addAgent("claude");
    for (const shell of ["sh", "bash"]) {
      const [launch] = linuxLaunches(folder());
      const [command = "", ...args] = launch?.args ?? [];
      run(command, args, join(bin(), shell));
      expect(record()).toBe(`claude|--ide|--permission-mode|default|${folder()}|`);
    }
  });

  test("a script for a terminal on macOS runs the agent there, and removes itself", () => {
    addAgent("claude");
    const place = join(root, "script");
    mkdirSync(place);
    const script = join(place, "agent.command");
    writeFileSync(script, macScript(folder()), { mode: 0o700 });
    run(script, [], join(bin(), "sh"));
    expect(record()).toBe(`claude|--ide|--permission-mode|default|${folder()}|`);
    expect(existsSync(place)).toBe(false);
  });
});

test("the agent is run by idewire if that is installed", () => {
  addAgent("claude");
  addAgent("idewire");
  const [launch] = linuxLaunches(root);
  const [command = "", ...args] = launch?.args ?? [];
  run(command, args, join(bin(), "sh"));
  expect(record()).toBe(`idewire|run|claude|${root}|`);
});

test("each terminal on Linux gets the command in the place that its manual states", () => {
  addAgent("claude");
  const launches = linuxLaunches(root);
  expect(launches.map(({ command }) => command)).toEqual(Object.keys(synopsis));
  for (const { command, args } of launches) {
    const option = synopsis[command] ?? "";
    const shift = option === "" ? "" : `[ "$1" = ${option} ] && shift &&`;
    rmSync(join(root, "record"), { force: true });
    run(addProgram(command, `${shift} exec "$@"`), args, join(bin(), "sh"));
    expect(record(), command).toContain("claude|");
  }
});

test("on Windows no folder name is part of a command line", () => {
  const lines = windowsLaunches("C:\\it's & del *").map(({ command, args }) =>
    [command, ...args].join(" "),
  );
  const shell =
    'cmd /d /k "where /q idewire & if errorlevel 1 (claude --ide --permission-mode default) else (idewire run claude)"';
  expect(lines).toEqual([`wt.exe -d . ${shell}`, `cmd.exe /d /c start "Idewire" ${shell}`]);
});

test("on Windows no terminal opens in a network folder, which cmd does not support", () => {
  expect(windowsLaunches("\\\\server\\notes")).toEqual([]);
});
