import { createMemoryTransportPair } from "@idewire/core/rpc";
import { manualClock, settled } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { exactJson } from "../trace/exact-json.ts";
import type { TraceEvent, TraceFact } from "../trace/format/trace-event.ts";
import { parseScenario } from "./file/parse.ts";
import { scenarioFromTrace } from "./from-trace/scenario-from-trace.ts";
import { mismatches } from "./pattern/pattern.ts";
import { createMemoryContext } from "./play/context.ts";
import { playScenario } from "./play/play.ts";

const LONG = "9007199254740993";
/** The number as JavaScript rounds it. */
const ROUNDED = "9007199254740992";
const words = { path: (file: string) => file };

function parse(...lines: readonly string[]) {
  return parseScenario(['{"idewire":"scenario/1","name":"x"}', ...lines].join("\n"));
}

function call(digits: string): string {
  const params = `{"name":"t","arguments":{"id":${digits},"list":[{"id":-${digits}}]}}`;
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
}

async function play(steps: readonly string[], frames: readonly string[]) {
  const scenario = parse(...steps);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.issues));
  const clock = manualClock();
  const context = createMemoryContext(scenario.value, { clock, now: () => clock.nowMs });
  const report = playScenario(scenario.value, context);
  const [near, far] = createMemoryTransportPair();
  const received: string[] = [];
  far.onframe = (frame) => received.push(frame);
  context.open(near);
  for (const frame of frames) far.send(frame);
  for (let count = 0; count < 200; count += 1) {
    await settled();
    clock.advance(50);
  }
  return { ...(await report), received };
}

test("an expected number beyond 2^53 is met by its own spelling alone", async () => {
  const step = `{"expect":"call","tool":"t","arguments":{"id":${LONG},"list":[{"id":-${LONG}}]}}`;
  expect(await play([step], [call(LONG)])).toMatchObject({ outcome: "met" });
  const { outcome, failure } = await play([step], [call(ROUNDED)]);
  expect(outcome).toBe("unmet");
  const shown = JSON.stringify(failure);
  expect(shown).toContain(LONG);
  expect(shown).toContain(ROUNDED);
});

test("a notification of a scenario keeps the spelling of its numbers", async () => {
  const steps = [
    '{"expect":"initialized"}',
    `{"do":"notify","method":"news","params":{"id":${LONG}}}`,
  ];
  const clientInfo = '"clientInfo":{"name":"a","version":"1"}';
  const { received } = await play(steps, [
    `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},${clientInfo}}}`,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  ]);
  expect(received).toContain(`{"jsonrpc":"2.0","method":"news","params":{"id":${LONG}}}`);
});

test("a scenario made from a trace has the numbers of the trace", () => {
  const facts: readonly TraceFact[] = [
    { ev: "open", ch: "c1" },
    { ev: "frame", ch: "c1", dir: "agent>ide", raw: call(LONG) },
    {
      ...{ ev: "frame", ch: "c1", dir: "ide>agent" },
      raw: `{"jsonrpc":"2.0","method":"news","params":{"id":${LONG}}}`,
    },
  ];
  const events = facts.map((fact, at): TraceEvent => ({ n: at + 1, t: at, ...fact }));
  const made = scenarioFromTrace({ header: {}, events });
  if (!made.ok) throw new Error(made.issue);
  expect(made.value.text).toContain(`{"id":${LONG},"list":[{"id":-${LONG}}]}`);
  expect(made.value.text).toContain(`"params":{"id":${LONG}}`);
});

test.each([
  [LONG, LONG, ROUNDED],
  [`[${LONG}]`, `[${LONG}]`, `[${ROUNDED}]`],
  [`{"$exactly":{"a":${LONG}}}`, `{"a":${LONG}}`, `{"a":${ROUNDED}}`],
  [`{"$oneOf":[1,${LONG}]}`, LONG, ROUNDED],
  [`{"$has":${LONG}}`, `[1,${LONG}]`, `[${ROUNDED}]`],
  [`{"$json":{"id":${LONG}}}`, `"{\\"id\\":${LONG}}"`, `"{\\"id\\":${ROUNDED}}"`],
  ['{"$any":"number"}', LONG, `"${LONG}"`],
  ['{"$any":"object"}', "{}", LONG],
  ["7", "7", LONG],
  [LONG, LONG, `"${LONG}"`],
  ["{}", "{}", LONG],
])("the pattern %s matches %s, not %s", (pattern, right, wrong) => {
  const differs = (value: string) =>
    mismatches(exactJson.parse(pattern), exactJson.parse(value), words).length > 0;
  expect([differs(right), differs(wrong)]).toEqual([false, true]);
});

test("a number that a step computes with is refused unless it is exact", () => {
  expect(parse(`{"do":"wait","ms":${LONG}}`)).toEqual({
    ok: false,
    issues: [{ line: 2, issue: `ms: expected number, got ${LONG}` }],
  });
});
