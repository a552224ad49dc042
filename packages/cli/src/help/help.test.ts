import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createProgram, main } from "../main.ts";
import { exitStatus } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";

function openIo(members: Partial<CliIo> & { readonly columns?: number } = {}) {
  const home = temporaryFolder("idewire-");
  const { columns, ...rest } = members;
  const stdout = Object.assign(new PassThrough(), columns && { columns, isTTY: true });
  const stderr = new PassThrough();
  const output = { stdout: "", stderr: "" };
  stdout.on("data", (chunk) => {
    output.stdout += String(chunk);
  });
  stderr.on("data", (chunk) => {
    output.stderr += String(chunk);
  });
  const io: CliIo = {
    stdin: new PassThrough(),
    stdout,
    stderr,
    env: { HOME: home },
    cwd: home,
    onSignal: () => () => {},
    exit: () => {},
    ...rest,
  };
  return { io, output };
}

async function run(argv: readonly string[], members: Parameters<typeof openIo>[0] = {}) {
  const { io, output } = openIo(members);
  return { code: await main(argv, io), ...output };
}

const program: Command = (() => {
  const nothing = new PassThrough();
  const io: CliIo = {
    stdin: nothing,
    stdout: nothing,
    stderr: nothing,
    env: {},
    cwd: "/",
    onSignal: () => () => {},
    exit: () => {},
  };
  return createProgram(io, () => {});
})();
const names = program.commands.map((command) => command.name());

const SECTIONS = ["Usage:", "Options:", "Exit status:", "Examples:"];

test("every command has a page with all sections, in the order of a manual", async () => {
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const { code, stdout } = await run([name, "--help"]);
    expect(code).toBe(0);
    const titles: readonly string[] = stdout.match(/^[A-Z][a-z ]+:(?=$| idewire)/gm) ?? [];
    expect(titles.filter((title) => SECTIONS.includes(title))).toEqual(SECTIONS);
    const places = ["Exit status:", "Environment:", "Files:", "Examples:"].filter((title) =>
      titles.includes(title),
    );
    expect(titles.slice(-places.length)).toEqual(places);
  }
  expect((await run(["serve", "--help"])).stdout).toMatch(/\nEnvironment:\n[\s\S]*\nFiles:\n/);
});

test.each([80, 40, 200])("at %i columns no line is wider, nor than 80", async (columns) => {
  for (const argv of [["--help"], ...names.map((name) => [name, "--help"])]) {
    const { stdout } = await run(argv, { columns, env: { NO_COLOR: "1" } });
    const widest = Math.max(...stdout.split("\n").map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(Math.min(columns, 80));
  }
});

test("help <command> is the same page, and one that does not exist is a wrong command line", async () => {
  expect((await run(["help", "serve"])).stdout).toBe((await run(["serve", "--help"])).stdout);
  expect((await run(["help"])).stdout).toBe((await run(["--help"])).stdout);
  const wrong = await run(["help", "dance"]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("unknown command 'dance'"),
  ]);
});

test("a terminal gets bold titles; a pipe, and NO_COLOR, no escape sequence", async () => {
  const env = { TERM: "xterm" };
  expect((await run(["help"], { columns: 80, env })).stdout).toContain("\x1b[1mUsage:\x1b[22m");
  expect((await run(["help"], { env })).stdout).not.toContain("\x1b");
  expect(
    (await run(["help"], { columns: 80, env: { ...env, NO_COLOR: "1" } })).stdout,
  ).not.toContain("\x1b");
});

test("the table of exit codes has every command, and the help says what it says", async () => {
  expect(Object.keys(exitStatus)).toEqual(names);
  for (const [name, meanings] of Object.entries(exitStatus)) {
    const { stdout } = await run(["help", name]);
    const [, section = ""] = /\nExit status:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const received = section.split("\n").map((line) => line.trim().split(/\s+/)[0]);
    const codes = meanings.map(([code]) => String(code));
    expect(received.filter((word) => codes.includes(word ?? ""))).toEqual(codes);
  }
});

test("the README has the same table of exit codes", () => {
  const readme = readFileSync(new URL("../../../node-server/README.md", import.meta.url), "utf8");
  const rows = new Map<string, string[]>();
  for (const [name, meanings] of Object.entries(exitStatus)) {
    const row = meanings.map(([code, when]) => `${code} ${when}`).join("; ");
    rows.set(row, [...(rows.get(row) ?? []), `\`${name}\``]);
  }
  const table = [...rows].map(([row, commands]) => `| ${commands.join(", ")} | ${row} |`);
  expect(readme).toContain(`| command | exit status |\n|---|---|\n${table.join("\n")}\n`);
});
