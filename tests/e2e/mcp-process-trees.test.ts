import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtBin, LineProgram } from "../src/line-program.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** Longer than the sum of all time-outs of an orderly end. */
const TIMEOUT_MS = 40_000;

/**
 * A server of the legacy era that records its process id. With the argument `stubborn`, it survives the end of its
 * input and every signal that can be ignored; the tool `silent` is never answered.
 */
const server = `
const [, , log, temper] = process.argv;
require("node:fs").writeFileSync(log, String(process.pid));
if (temper === "stubborn") {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
  setInterval(() => {}, 1000);
}
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "t", inputSchema: {} }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || params?.name === "silent") return;
  const known = results[method];
  const error = { code: -32601, message: "no" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(known ? { result: known } : { error }) }));
});`;

/** Starts the built command with a server behind a wrapper. */
function start(action: string, wrap: (words: string) => readonly string[], temper: string) {
  const fixture = openFixture();
  const file = fixture.file("server.cjs", server);
  const log = join(fixture.home, "pid");
  // Quoted for a shell.
  const words = [process.execPath, file, log, temper].map((word) => `'${word}'`).join(" ");
  fixture.file("package.json", JSON.stringify({ name: "x", scripts: { serve: words } }));
  const args = [builtBin, "mcp", ...action.split(" "), "--era", "legacy", "--", ...wrap(words)];
  const options = { env: { HOME: fixture.home }, cwd: fixture.workspace };
  const command = new LineProgram(process.execPath, args, options);
  const pid = () => (existsSync(log) ? Number(readFileSync(log, "utf8")) : 0);
  onTestFinished(() => {
    if (isRunning(pid())) process.kill(pid(), "SIGKILL");
  });
  return { command, pid };
}

function isRunning(pid: number): boolean {
  try {
    // A zombie is still in the process table, with an empty command line.
    const isThere = pid > 0 && process.kill(pid, 0);
    if (!isThere || process.platform !== "linux") return isThere;
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

describe("the command exits after its answer, and the whole tree of the server has ended", () => {
  const wrappers: Readonly<Record<string, (words: string) => readonly string[]>> = {
    "sh -c": (words) => ["sh", "-c", `${words}; true`],
    "sh -c in sh -c": (words) => ["sh", "-c", `sh -c "${words}; true"; true`],
    "npm run": () => ["npm", "run", "--silent", "serve"],
    "a wrapper that exits with its input, while the server goes on": (words) => [
      ...[process.execPath, "-e"],
      `const stdio = ["pipe", "inherit", "inherit"];
      const child = require("node:child_process").spawn("sh", ["-c", process.argv[1]], { stdio });
      process.stdin.pipe(child.stdin);
      process.stdin.on("end", () => process.exit(0));`,
      words,
    ],
  };
  test.each(
    Object.keys(wrappers).flatMap((name) => [
      [name, "stubborn"],
      [name, "tame"],
    ]),
  )("%s, %s", { timeout: TIMEOUT_MS }, async (name, temper) => {
    const wrap = wrappers[name] as (words: string) => readonly string[];
    const { command, pid } = start("tools", wrap, temper);
    expect(await command.exited, command.describe()).toBe(0);
    expect(command.output).toContain("t");
    await expect.poll(() => isRunning(pid()), { timeout: 5_000 }).toBe(false);
  });
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends the command and a server behind a shell within two seconds, although the server ignores it",
  { timeout: TIMEOUT_MS },
  async (signal) => {
    const { command, pid } = start(
      "call silent",
      (words) => ["sh", "-c", `${words}; true`],
      "stubborn",
    );
    await expect.poll(pid).toBeGreaterThan(0);
    // Signal handlers are installed before the program starts.
    const begin = performance.now();
    command.kill(signal);
    const code = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal];
    expect(await command.exited, command.describe()).toBe(code);
    // Five times the limit, for a busy machine.
    expect(performance.now() - begin).toBeLessThan(10_000);
    await expect.poll(() => isRunning(pid()), { timeout: 5_000 }).toBe(false);
  },
);

test("a server ends when the command is killed by SIGKILL, since its input ends", {
  timeout: TIMEOUT_MS,
}, async () => {
  const { command, pid } = start("call silent", (words) => ["sh", "-c", `${words}; true`], "tame");
  await expect.poll(pid).toBeGreaterThan(0);
  command.kill("SIGKILL");
  await command.exited;
  await expect.poll(() => isRunning(pid())).toBe(false);
});
