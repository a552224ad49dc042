import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseTrace } from "@idewire/devtools/trace";
import { expect, test } from "vitest";
import { type CliRun, CliRun as Run } from "../src/in-process-cli.ts";
import { builtBin } from "../src/line-program.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";
import { retryLate } from "../src/retry-late.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const examples = join(root, "examples", "scenarios");
const agent = ["--", process.execPath, join(examples, "agent.js")];

/** The limit for a hanging run: a busy machine is slow to start an agent and to report it. */
const limits = { withinMs: TIMEOUT_MS, connectWithinMs: 3 * TIMEOUT_MS };

const header = {
  ...{ idewire: "scenario/1", name: "A test", files: { "notes.md": "one\ntwo\n" } },
  ...limits,
};

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function start(fixture: Fixture, scenario: string | readonly object[], ...args: string[]): CliRun {
  const file =
    typeof scenario === "string"
      ? fixture.file(`${scenario}.jsonl`, exampleWithLimit(scenario))
      : fixture.file("test.jsonl", lines(header, ...scenario));
  return new Run(fixture, { args: ["simulate", file, ...args] });
}

function exampleWithLimit(name: string): string {
  const [first = "", ...steps] = readFileSync(join(examples, `${name}.jsonl`), "utf8").split("\n");
  return [JSON.stringify({ ...JSON.parse(first), ...limits }), ...steps].join("\n");
}

test("an agent that meets the expectations ends it with 0, and a line per step", async () => {
  const run = start(openFixture(), "diff-accepted", ...agent);
  expect([await run.exited, run.errors]).toEqual([0, ""]);
  expect(run.output.replaceAll(/ {2}\d+ ms$/gm, "")).toMatch(
    /^A proposed change is accepted \(diff-accepted\.jsonl\)\n {2}✓ {3}2 {2}answers diffs: accept\n(?: {2}✓ .*\n){4}all 5 steps met, \d.*\n$/,
  );
});

test("one that does not ends it with 1, in a report for people, for programs and as JUnit", async () => {
  const fixture = openFixture();
  const steps = [
    { do: "diff", answer: "accept" },
    { expect: "call", tool: "openDiff" },
    { expect: "file", path: "notes.md", text: "one\ntwo\n<three> & four\n", withinMs: 300 },
    { expect: "exit", code: 0 },
  ];
  const junit = join(fixture.root, "report.xml");
  const record = join(fixture.root, "trace.jsonl");
  const run = start(fixture, steps, "--json", "--junit", junit, "--record", record, ...agent);
  expect(await run.exited).toBe(1);
  const report = JSON.parse(run.output);
  expect(report).toMatchObject({ file: "test.jsonl", name: "A test", outcome: "unmet" });
  expect(report.steps.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    "met",
    "met",
    "failed",
    "not-reached",
  ]);
  expect(report.failure).toMatchObject({ line: 4, title: "expect file notes.md" });
  const xml = readFileSync(junit, "utf8");
  expect(xml).toContain('tests="4" failures="1" skipped="1"');
  expect(xml).toMatch(
    /<failure message="the file is not as expected">[^<]*- &lt;three&gt; &amp; four/,
  );
  const trace = parseTrace(readFileSync(record, "utf8"));
  if (!trace.ok) throw new Error(trace.issue);
  const frames = trace.value.events.filter(({ ev }) => ev === "frame");
  expect(frames.length).toBeGreaterThan(6);
  expect(JSON.stringify(trace.value)).not.toContain("authToken");
});

test("a person sees where a text differs, and the frames around it", async () => {
  const at = { "/new_file_contents": "one\ntwo\nfour\n" };
  const closest = /the closest: request tools\/call openDiff\n +at \/new_file_contents\n/;
  const run = await retryLate(
    [300, TIMEOUT_MS],
    async (withinMs) => {
      const step = { expect: "call", tool: "openDiff", at, withinMs };
      const played = start(openFixture(), [{ do: "diff", answer: "wait" }, step], ...agent);
      await played.exited;
      return played;
    },
    ({ output }) => !closest.test(output) && output.includes("did not arrive within"),
  );
  expect(await run.exited).toBe(1);
  expect(run.output).toMatch(closest);
  expect(run.output).toMatch(/ - four\n +\+ three\n +frames around it:\n/);
  expect(run.output).toMatch(/ {2}\d+\.\d{3} {2}agent > ide {2}#\d+ tools\/call /);
});

test("an agent that never connects ends it with 3, and one that cannot be started with 2", async () => {
  const steps = [{ expect: "connected" }];
  const silent = start(openFixture(), steps, "--", process.execPath, "-e", "");
  expect(await silent.exited).toBe(3);
  expect(silent.output).toMatch(/no agent connected within \d+ ms; its command: exit 0\n/);
  const missing = start(openFixture(), steps, "--", "no-such-agent");
  expect([await missing.exited, missing.errors]).toEqual([
    2,
    'idewire: "no-such-agent" cannot be started: there is no such program\n',
  ]);
});

test("an invalid scenario ends it with 2 before anything starts", async () => {
  const fixture = openFixture();
  const cases: readonly (readonly [text: string | undefined, output: RegExp])[] = [
    [undefined, /^bad\.jsonl: there is no such file\n$/],
    ["", /^bad\.jsonl:1: expected a header first: .*, got nothing\n$/],
    [
      lines(header, { do: "open", path: "../x" }, { expect: "call" }),
      /^bad\.jsonl:2: path: expected a path inside the workspace.*got "\.\.\/x"\nbad\.jsonl:3: tool: expected string, got nothing\n$/,
    ],
    [lines(header, { do: "clearSelection" }), /expected at least one step with "expect", got none/],
    [
      lines(header, { expect: "exit" }),
      /^bad\.jsonl:2: "exit" needs a program that idewire starts; give the agent's/,
    ],
    [
      lines({ ...header, workspace: "nowhere" }, { expect: "connected" }),
      /^idewire: workspace: expected a folder, got .*nowhere\n/,
    ],
  ];
  for (const [text, output] of cases) {
    if (text !== undefined) fixture.file("bad.jsonl", text);
    const run = new Run(fixture, { args: ["simulate", "bad.jsonl"] });
    expect([await run.exited, run.output]).toEqual([2, ""]);
    expect(run.errors).toMatch(output);
  }
});

test("a fault that only appears during the play ends it with 2 as well", async () => {
  const range = { start: { line: 7, character: 0 }, end: { line: 7, character: 1 } };
  const run = start(openFixture(), [
    { do: "select", path: "notes.md", range },
    { expect: "connected" },
  ]);
  expect(await run.exited).toBe(2);
  expect(run.output).toMatch(/✗ +2 {2}selects 7:0-7:1 of notes\.md\n +line 7 is outside 0–2\n/);
});

test("without a command it explains how to connect; Ctrl-C ends it, and nothing is left", async () => {
  const run = start(openFixture(), "handshake");
  const output = await run.shows("claude --ide --permission-mode default");
  const [, folder = ""] = /cd (\S+)/.exec(output) ?? [];
  const [, config = ""] = /export CLAUDE_CONFIG_DIR=(\S+)/.exec(output) ?? [];
  const [, port = ""] = /export CLAUDE_CODE_SSE_PORT=(\d+)/.exec(output) ?? [];
  expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("# Notes\n");
  expect(existsSync(join(config, "ide", `${port}.lock`))).toBe(true);
  run.signal("SIGINT");
  expect(await run.exited).toBe(130);
  expect(existsSync(dirname(folder))).toBe(false);
});

test("the agent gets the workspace and a home of its own, and is stopped at the end", async () => {
  const fixture = openFixture();
  const received = join(fixture.root, "received.json");
  const script = `
    const { writeFileSync } = require("node:fs");
    const { HOME, CLAUDE_CONFIG_DIR } = process.env;
    writeFileSync(${JSON.stringify(received)}, JSON.stringify({ HOME, CLAUDE_CONFIG_DIR, pid: process.pid }));
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
    console.log("hello from the agent");
    // What ends the scenario comes last.
    writeFileSync("done.txt", "x");`;
  const command = ["--", process.execPath, "-e", script];
  const run = start(fixture, [{ expect: "file", path: "done.txt", exists: true }], ...command);
  expect(await run.exited).toBe(0);
  const { HOME, CLAUDE_CONFIG_DIR, pid } = JSON.parse(readFileSync(received, "utf8"));
  expect(CLAUDE_CONFIG_DIR).toBe(join(HOME, ".claude"));
  expect(HOME).not.toBe(fixture.home);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  expect(run.errors).toBe("| hello from the agent\n");
});

test("--keep-home leaves the agent its home", async () => {
  const fixture = openFixture();
  const script = `
    if (process.env.HOME === ${JSON.stringify(fixture.home)}) require("node:fs").writeFileSync("x", "");
    setInterval(() => {}, 1000);`;
  const steps = [{ expect: "file", path: "x", exists: true }];
  const run = start(fixture, steps, "--keep-home", "--", process.execPath, "-e", script);
  expect(await run.exited).toBe(0);
});

test("the commands of the example workflow work as described", async () => {
  const workflow = readFileSync(join(examples, "workflow.yml"), "utf8");
  const commands = [...workflow.matchAll(/run: (npx idewire .*)$/gm)].map(([, run = ""]) => run);
  expect(commands.length).toBe(3);
  const fixture = openFixture();
  symlinkSync(join(root, "examples"), join(fixture.workspace, "examples"));
  const env = { PATH: process.env["PATH"], HOME: fixture.home };
  const runs = commands.map((command) => {
    const own = command.replace(/^npx idewire/, `"${process.execPath}" "${builtBin}"`);
    return promisify(execFile)("sh", ["-c", own], { cwd: fixture.workspace, env });
  });
  for (const { stdout } of await Promise.all(runs)) expect(stdout).toMatch(/^all \d steps met/m);
  const kept = readdirSync(fixture.workspace).filter((name) => name !== "examples");
  expect(kept.sort()).toEqual(["accepted.jsonl", "accepted.xml", "rejected.xml"]);
});
