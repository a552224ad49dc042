import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/src/temporary-folder.ts";
import { createProgram, main } from "../main.ts";
import type { CliIo } from "../process/io.ts";
import { exitsOf, pathOf } from "./manual.ts";

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

const program: Command = await (() => {
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
const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];
/** All commands and subcommands, apart from the program. */
const [, ...commands] = withSubcommands(program);
const typed = (command: Command) => pathOf(command).split(" ").slice(1);
const lines = commands.map(typed);

const SECTIONS = ["Usage:", "Options:", "Exit status:", "Examples:"];

test("every command has a page with all sections, in the order of a manual", async () => {
  expect(lines.length).toBeGreaterThan(40);
  for (const command of commands) {
    const { code, stdout } = await run([...typed(command), "--help"]);
    expect(code).toBe(0);
    const hasExits = exitsOf(command).length > 0;
    const wanted = SECTIONS.filter((title) => title !== "Exit status:" || hasExits);
    const titles: readonly string[] = stdout.match(/^[A-Z][a-z ]+:(?=$| idewire)/gm) ?? [];
    expect([typed(command), titles.filter((title) => wanted.includes(title))]).toEqual([
      typed(command),
      wanted,
    ]);
    const places = ["Exit status:", "Environment:", "Files:", "Examples:"].filter((title) =>
      titles.includes(title),
    );
    expect(titles.slice(-places.length)).toEqual(places);
  }
  expect((await run(["serve", "--help"])).stdout).toMatch(/\nEnvironment:\n[\s\S]*\nFiles:\n/);
});

test("a subcommand has a page of its own, of a screen", async () => {
  const { stdout } = await run(["comments", "add", "--help"]);
  expect(stdout).toContain("Usage: idewire comments add [options] <file:line> <text>");
  expect(stdout.trim().split("\n").length).toBeLessThanOrEqual(32);
});

test("the help lists the commands in five groups", async () => {
  const { stdout } = await run(["--help"]);
  const titles: readonly string[] = stdout.match(/^(Serve|Drive|Comments|MCP|Debug):$/gm) ?? [];
  expect(titles).toEqual(["Serve:", "Drive:", "Comments:", "MCP:", "Debug:"]);
});

test("a command that only has subcommands prints its help", async () => {
  for (const name of ["mcp", "comments", "trace"]) {
    const { code, stderr } = await run([name]);
    expect([code, stderr]).toEqual([2, (await run([name, "--help"])).stdout]);
  }
});

test.each([80, 40, 200])("at %i columns no line is wider, nor than 80", async (columns) => {
  for (const argv of [["--help"], ...lines.map((line) => [...line, "--help"])]) {
    const { stdout } = await run(argv, { columns, env: { NO_COLOR: "1" } });
    const widest = Math.max(...stdout.split("\n").map((line) => line.length));
    expect(widest).toBeLessThanOrEqual(Math.min(columns, 80));
  }
});

test("help <command> prints the same page, and an unknown command is a wrong command line", async () => {
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

test("the README has the table of exit codes", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const rows = new Map<string, string[]>();
  for (const command of commands) {
    if (command.parent !== null && exitsOf(command) === exitsOf(command.parent)) continue;
    const row = exitsOf(command)
      .map(([code, when]) => `${code} ${when}`)
      .join("; ");
    if (row !== "") rows.set(row, [...(rows.get(row) ?? []), `\`${typed(command).join(" ")}\``]);
  }
  const table = [...rows].map(([row, names]) => `| ${names.join(", ")} | ${row} |`);
  expect(readme).toContain(`| command | exit status |\n|---|---|\n${table.join("\n")}\n`);
});
