import { createMemoryTransportPair } from "@idewire/core/rpc";
import { type ManualClock, manualClock, RawEnd, settled } from "@idewire/core/testing";
import { expect, test } from "vitest";
import type { ScenarioHeader, ScenarioStep } from "../file/model.ts";
import { createScenario } from "../file/parse.ts";
import { createMemoryContext, type MemoryContext } from "./context.ts";
import { playScenario } from "./play.ts";
import type { ScenarioReport } from "./report.ts";

/** A play by a clock that the test moves, and an agent that the test plays. */
interface Context {
  readonly fixture: MemoryContext;
  readonly clock: ManualClock;
  readonly report: Promise<ScenarioReport>;
  connect(): RawEnd;
  /** Lets time pass, and runs everything that is due meanwhile. */
  pass(ms: number): Promise<void>;
}

function open(steps: readonly ScenarioStep[], header: Partial<ScenarioHeader> = {}): Context {
  const scenario = createScenario({ files: { "a.md": "one\ntwo\n" }, ...header }, steps);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.issues));
  const clock = manualClock();
  const fixture = createMemoryContext(scenario.value, { clock, now: () => clock.nowMs });
  return {
    fixture,
    clock,
    report: playScenario(scenario.value, fixture),
    connect() {
      const [left, right] = createMemoryTransportPair();
      fixture.open(left);
      return new RawEnd(right);
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= 50) {
        await settled();
        clock.advance(Math.min(50, left));
      }
      await settled();
    },
  };
}

function handshake(agent: RawEnd): void {
  const clientInfo = { name: "agent", version: "1" };
  agent.request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  agent.notify("notifications/initialized");
}

const propose = {
  name: "openDiff",
  arguments: { old_file_path: "/workspace/a.md", new_file_contents: "new\n", tab_name: "t" },
};

test("a play needs neither a socket nor a disk: the agent connects over a transport", async () => {
  const { connect, report, pass } = open([
    { expect: "initialized", agent: { name: "agent" } },
    { do: "diff", answer: "accept-edited", suffix: "more\n", path: "*.md" },
    { expect: "call", tool: "openDiff", arguments: { old_file_path: { $path: "a.md" } } },
    { expect: "diff", outcome: "accepted", path: "a.md", title: "t" },
    { expect: "disconnected" },
  ]);
  const agent = connect();
  handshake(agent);
  await pass(400);
  agent.request(1, "tools/call", propose);
  await pass(50);
  const answer = (await agent.take()).find(({ id }) => id === 1);
  expect(answer?.result).toEqual({
    content: [
      { type: "text", text: "FILE_SAVED" },
      { type: "text", text: "new\nmore\n" },
    ],
  });
  agent.transport.close();
  await pass(50);
  expect(await report).toMatchObject({ outcome: "met" });
});

test("the time to connect applies before the first agent, the time of a step afterwards", async () => {
  const steps: readonly ScenarioStep[] = [{ expect: "ready" }, { expect: "call", tool: "x" }];
  const absent = open(steps, { connectWithinMs: 2_000, withinMs: 500 });
  await absent.pass(2_100);
  expect(await absent.report).toMatchObject({
    outcome: "no-agent",
    failure: { message: "no agent connected within 2000 ms" },
  });
  const silent = open(steps, { connectWithinMs: 2_000, withinMs: 500 });
  await silent.pass(1_500);
  handshake(silent.connect());
  await silent.pass(1_000);
  expect(await silent.report).toMatchObject({
    outcome: "unmet",
    failure: { line: 3, message: "it did not arrive within 500 ms" },
  });
});

test("expectations are met in order, unless a step allows any order", async () => {
  const call = (tool: string, order: "after" | "any"): ScenarioStep => {
    return { expect: "call", tool, order, withinMs: 100 };
  };
  const play = async (order: "after" | "any") => {
    const { connect, report, pass } = open([
      call("getDiagnostics", "after"),
      call("close_tab", order),
    ]);
    const agent = connect();
    handshake(agent);
    agent.request(1, "tools/call", { name: "close_tab", arguments: { tab_name: "t" } });
    agent.request(2, "tools/call", { name: "getDiagnostics" });
    await pass(300);
    return report;
  };
  expect(await play("any")).toMatchObject({ outcome: "met" });
  expect((await play("after")).failure?.message).toBe(
    'it did not arrive within 100 ms; but it arrived too early, which "order":"any" allows',
  );
});

test("times followed by no-call requires exactly that number of calls", async () => {
  const play = async (calls: number) => {
    const { connect, report, pass } = open([
      { expect: "call", tool: "getDiagnostics", times: 2, withinMs: 200 },
      { expect: "no-call", except: ["close_tab"] },
    ]);
    const agent = connect();
    handshake(agent);
    agent.request(9, "tools/call", { name: "close_tab", arguments: { tab_name: "t" } });
    for (let id = 1; id <= calls; id++) agent.request(id, "tools/call", { name: "getDiagnostics" });
    await pass(600);
    const { outcome, failure } = await report;
    return failure === undefined ? outcome : failure.message;
  };
  expect(await play(2)).toBe("met");
  expect(await play(1)).toBe("1 of 2 came within 200 ms");
  expect(await play(3)).toBe("expected none, saw: request tools/call getDiagnostics");
});

test("no-call is not met while no agent is connected", async () => {
  const { report, pass } = open([{ expect: "no-call" }], { connectWithinMs: 500 });
  await pass(800);
  expect(await report).toMatchObject({ outcome: "no-agent" });
});

test("the newest matching rule for diffs applies, and no more often than it states", async () => {
  const { fixture, connect, pass } = open([
    { do: "diff", answer: "reject", comments: "too long" },
    { do: "diff", answer: "accept", title: "t", times: 1, afterMs: 100 },
    { expect: "exit" },
  ]);
  const agent = connect();
  handshake(agent);
  await pass(50);
  await agent.take();
  agent.request(1, "tools/call", propose);
  await pass(50);
  expect([(await agent.take()).length, fixture.ide.editor.shownDiffs.length]).toEqual([0, 1]);
  await pass(100);
  expect(JSON.stringify(await agent.take())).toContain("FILE_SAVED");
  agent.request(2, "tools/call", propose);
  await pass(50);
  const rejected = JSON.stringify(await agent.take());
  expect(rejected).toContain("DIFF_REJECTED");
  expect(rejected).toContain("too long");
});

test("tools are delayed, fail or answer with an error, as often as scripted", async () => {
  const { connect, pass } = open([
    { do: "answerTool", tool: "getDiagnostics", failure: "out of order", times: 1 },
    { do: "answerTool", tool: "getDiagnostics", error: { code: -32_000, message: "no" }, times: 1 },
    { do: "answerTool", tool: "getDiagnostics", afterMs: 500, times: 1 },
    { expect: "exit" },
  ]);
  const agent = connect();
  handshake(agent);
  await pass(50);
  await agent.take();
  for (const id of [1, 2, 3, 4]) agent.request(id, "tools/call", { name: "getDiagnostics" });
  await pass(100);
  const [error, failure, right, ...none] = await agent.take();
  expect(error).toMatchObject({ id: 2, error: { code: -32_000, message: "no" } });
  expect(failure).toMatchObject({ id: 3, result: { isError: true } });
  expect([right?.id, none]).toEqual([4, []]);
  await pass(500);
  expect((await agent.take()).map(({ id }) => id)).toEqual([1]);
});

test("diagnostics with when written appear once the file's text has changed", async () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const wrong = { message: "broken", severity: "error", range } as const;
  const { fixture, connect, pass } = open(
    [
      { do: "diagnostics", path: "a.md", diagnostics: [wrong], when: "written" },
      { expect: "exit" },
    ],
    { dialect: "neovim" },
  );
  const agent = connect();
  handshake(agent);
  await pass(500);
  agent.request(1, "tools/call", { name: "getDiagnostics", arguments: {} });
  expect(JSON.stringify(await agent.take())).not.toContain("broken");
  fixture.ide.files.write("a.md", "another\n");
  await pass(1_000);
  const received = (await agent.take()).filter(({ method }) => method === "diagnostics_changed");
  expect(received.length).toBe(1);
  agent.request(2, "tools/call", { name: "getDiagnostics", arguments: {} });
  expect(JSON.stringify(await agent.take())).toContain("broken");
});

test("events of an agent that floods are dropped beyond a limit", async () => {
  const { fixture, connect, report, pass } = open([{ expect: "call", tool: "x", withinMs: 500 }]);
  const agent = connect();
  handshake(agent);
  for (let count = 0; count < 21_000; count++) agent.notify("noise");
  await pass(600);
  expect(fixture.ide.log.events.length).toBe(20_000);
  expect((await report).failure?.message).toMatch(/; 1\d{3} events were dropped$/);
});

test("an impossible action is a fault of the script, with the reason", async () => {
  const { report, pass } = open([{ do: "open", path: "missing.md" }, { expect: "ready" }]);
  await pass(50);
  expect(await report).toMatchObject({
    outcome: "fault",
    failure: { line: 2, message: "/workspace/missing.md: there is no such file" },
    steps: [{ outcome: "failed" }, { outcome: "not-reached" }],
  });
});
