import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { builtBin } from "../src/line-program.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/**
 * Exits at the first request before `initialize`, as servers on Rust's rmcp do, and at a tool called `end`. Records
 * what it receives and, at its start, how many earlier instances still run.
 */
const abrupt = `
const { appendFileSync, readFileSync } = require("node:fs");
const [, log] = process.argv;
const note = (words) => appendFileSync(log, words + "\\n");
const isRunning = (pid) => { try { return process.kill(pid, 0); } catch { return false; } };
const before = [...readFileSync(log, "utf8").matchAll(/^start (\\d+)/gm)];
note("start " + process.pid + " beside " + before.filter(([, pid]) => isRunning(+pid)).length);
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
const results = {
  initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "abrupt", version: "1" } },
  "tools/list": { tools: [{ name: "t", inputSchema: {} }] },
  "tools/call": { content: [{ type: "text", text: "done" }] },
  "resources/list": { resources: [] },
  "resources/templates/list": { resourceTemplates: [] },
  "resources/read": { contents: [{ uri: "a:b", text: "read" }] },
  "prompts/list": { prompts: [] },
  "prompts/get": { messages: [] },
  "completion/complete": { completion: { values: [] } },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  note(method);
  if (method === "server/discover" || params?.name === "end") process.exit(1);
  const answer = { jsonrpc: "2.0", id, result: results[method] };
  if (id !== undefined) console.log(JSON.stringify(answer));
});`;

async function run(action: string, script = abrupt) {
  const fixture = openFixture();
  const log = join(fixture.home, "log");
  writeFileSync(log, "");
  const program = ["--", process.execPath, "-e", script, log];
  const command = new CliRun(fixture, { args: ["mcp", ...action.split(" "), ...program] });
  const code = await command.exited;
  const received = readFileSync(log, "utf8").replace(/ \d+/g, "").trimEnd().split("\n");
  const alone = readFileSync(log, "utf8")
    .match(/ beside \d+$/gm)
    ?.every((end) => end === " beside 0");
  return { code, output: command.output, errors: command.errors, received, alone };
}

const START = "start beside";

test.each([
  ["tools", "tools/list"],
  ["call t", "tools/call"],
  ["resources", "resources/list"],
  ["read a:b", "resources/read"],
  ["prompts", "prompts/list"],
  ["prompt p", "prompts/get"],
  ["complete p a=b", "completion/complete"],
])(
  "a program that exits on the probe of its era is restarted once, as legacy: %s",
  async (action, method) => {
    const { code, errors, received, alone } = await run(action);
    expect([code, alone]).toEqual([0, true]);
    expect(errors).toContain("--era legacy");
    const handshake = ["initialize", "notifications/initialized"];
    expect(received.slice(0, 6)).toEqual([START, "server/discover", START, ...handshake, method]);
    expect(received.filter((each) => each === method)).toEqual([method]);
  },
);

test("the last output of a program that exits is shown, even without a final newline", async () => {
  const { env, workspace: cwd } = openFixture();
  const script = 'process.stderr.write("config is missing"); process.exit(3);';
  const program = ["--", process.execPath, "-e", script];
  const run = promisify(execFile)(process.execPath, [builtBin, "mcp", "tools", ...program], {
    env: { PATH: process.env["PATH"], ...env },
    cwd,
  });
  await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining("config is missing") });
});

test("a program that exits during a call is not called again", async () => {
  const { code, errors, received } = await run("call end");
  expect([code, errors]).toEqual([1, expect.stringContaining("exited before it answered: exit")]);
  expect(received.filter((each) => each === "tools/call")).toEqual(["tools/call"]);
  expect(received.filter((each) => each === START)).toHaveLength(2);
});

test("a program that exits by itself is not started a third time, and one that cannot be started not a second time", async () => {
  const [, start = ""] = /^([\s\S]*)const capabilities/m.exec(abrupt) ?? [];
  const ended = await run("tools", `${start};process.exit(7);`);
  expect([ended.code, ended.received]).toEqual([1, [START, START]]);
  expect(ended.errors).toContain("exited before it answered: exit code 7");
  const missing = new CliRun(openFixture(), { args: ["mcp", "tools", "--", "nosuch"] });
  expect([await missing.exited, missing.errors]).toEqual([
    ...[1, 'idewire: "nosuch" cannot be started (ENOENT)\n'],
  ]);
});
