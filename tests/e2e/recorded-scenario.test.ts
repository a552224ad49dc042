import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { startInspect } from "../src/inspect-process.ts";
import { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import {
  openWorkspace,
  startClient,
  startServe,
  write,
} from "../src/reference-clients/serve-context.ts";
import { TIMEOUT_MS } from "../src/reference-clients/transcript.ts";

const PROPOSED = "one\ntwo\nthree\n";
const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };

/** The agent's side: it reads the selection, receives a mention, and proposes a text. */
async function converse(client: ClaudeClient, notes: string, proposed: string): Promise<void> {
  await client.until("the mention", () => client.promptInput !== "");
  const edit = client.edit(notes, proposed);
  await edit.result;
}

/** Records a conversation of the reference client with `idewire serve`, by `idewire inspect`. */
async function record(fixture: Fixture): Promise<string> {
  const workspace = openWorkspace();
  const notes = write(workspace, "notes.md", "one\ntwo\n");
  const serve = startServe(workspace);
  await serve.event("listening");
  const file = join(fixture.workspace, "day.jsonl");
  const inspect = startInspect(workspace, ["--record", file]);
  const { port } = await inspect.event("inspecting");
  const env = { ...workspace.env, CLAUDE_CODE_SSE_PORT: String(port) };
  const client = await startClient({ ...workspace, env });
  await client.untilReady();
  await serve.do({ do: "select", path: notes, range });
  await client.until("the selection", () => client.badge === "⧉ 1 line selected");
  const diagnostics = [{ message: "Not a number", severity: "warning", range }];
  await serve.do({ do: "setDiagnostics", files: [{ path: notes, diagnostics }] });
  await serve.do({ do: "mention", path: notes, lines: { start: 0, end: 1 } });
  const done = converse(client, notes, PROPOSED);
  const { diff } = await serve.event("diff-opened");
  const answer = { kind: "accepted", text: "one\ntwo\nthree!\n" };
  await serve.do({ do: "answerDiff", id: diff, answer });
  await done;
  await client.exit();
  await inspect.event("close");
  inspect.kill("SIGINT");
  await inspect.exited;
  return file;
}

/** Plays a scenario against the reference client, which connects as `idewire simulate` describes. */
async function simulate(fixture: Fixture, file: string, play: Play): Promise<CliRun> {
  const run = new CliRun(fixture, { args: ["simulate", file] });
  const output = await run.shows("claude --ide --permission-mode default");
  const value = (pattern: RegExp) => (pattern.exec(output)?.[1] ?? "").replaceAll("'", "");
  const folder = value(/cd (.+)$/m);
  const client = await ClaudeClient.start({
    cwd: folder,
    env: {
      HOME: fixture.home,
      CLAUDE_CONFIG_DIR: value(/CLAUDE_CONFIG_DIR=(.+)$/m),
      CLAUDE_CODE_SSE_PORT: value(/CLAUDE_CODE_SSE_PORT=(.+)$/m),
    },
    ...{ pollMs: 20, pollForMs: TIMEOUT_MS, lenient: true },
  });
  onTestFinished(() => client.exit());
  await client.untilReady();
  // Without an answer to its diff, the agent waits until the editor has ended.
  await Promise.race([play(client, join(folder, "notes.md")), run.exited]);
  await client.exit();
  await run.exited;
  return run;
}

type Play = (client: ClaudeClient, notes: string) => Promise<void>;

test("a recorded conversation becomes a scenario that the same agent meets, and no other", async () => {
  const fixture = openFixture();
  const trace = await record(fixture);
  const made = new CliRun(fixture, { args: ["trace", "scenario", trace, "-o", "day.scenario"] });
  expect([await made.exited, made.output]).toEqual([0, ""]);
  const scenario = readFileSync(join(fixture.workspace, "day.scenario"), "utf8");
  const [header, ...steps] = scenario
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ editor: "idewire", files: { "notes.md": "\ntwo\n" } });
  expect(steps).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ do: "select", path: "notes.md", range }),
      { do: "mention", path: "notes.md", lines: { start: 0, end: 1 } },
      {
        ...{ do: "diff", answer: "accept-edited", text: "one\ntwo\nthree!\n" },
        ...{ path: "notes.md", times: 1 },
      },
      { expect: "call", tool: "getDiagnostics", arguments: { uri: { $uri: "notes.md" } } },
    ]),
  );
  expect(made.errors).toMatch(/^\d+ steps; the workspace was \/.*$/m);
  expect(made.errors).toMatch(/^ {2}line \d+: notes\.md: of its text only parts are known$/m);

  const same = await simulate(fixture, "day.scenario", async (client, notes) => {
    await converse(client, notes, PROPOSED);
  });
  expect([await same.exited, same.errors]).toEqual([0, ""]);
  expect(same.output).toMatch(/^all \d+ steps met/m);
  const another = await simulate(fixture, "day.scenario", async (client, notes) => {
    await converse(client, notes, "one\n");
  });
  expect(await another.exited).toBe(1);
  expect(another.output).toMatch(/at \/new_file_contents/);
  const more = await simulate(fixture, "day.scenario", async (client, notes) => {
    await client.callAsModel("getDiagnostics", {}).reply;
    await converse(client, notes, PROPOSED);
  });
  expect(await more.exited).toBe(1);
  expect(more.output).toMatch(/expected none, saw: request tools\/call getDiagnostics/);
});

test("a recording that cannot become a scenario is refused with the reason", async () => {
  const fixture = openFixture();
  fixture.file("empty.jsonl", '{"idewire":"trace/1"}\n');
  fixture.file("bad.jsonl", '{"idewire":"trace/1"}\n{"ev":"dance","t":1}\n');
  const run = async (...args: string[]) => {
    const started = new CliRun(fixture, { args: ["trace", "scenario", ...args] });
    return [await started.exited, started.errors] as const;
  };
  expect(await run("empty.jsonl")).toEqual([
    1,
    "empty.jsonl: the trace has no connection of an agent\n",
  ]);
  expect((await run("bad.jsonl"))[1]).toMatch(/^bad\.jsonl: line 2: "ev" must be one of/);
  expect(await run("none.jsonl")).toEqual([1, "none.jsonl: there is no such file\n"]);
});
