import { manualClock } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { createSimulatedWire } from "../../simulation/simulated-wire.ts";
import { EventLog } from "../recording/event-log.ts";
import { type FaultPlan, parseFaultPlan } from "./fault.ts";
import { FaultInjector } from "./fault-injector.ts";

const request = (id: number, method = "tools/call"): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params: { name: "openDiff" } });

/** Sends frames from the agent under a plan, and returns what the editor receives. */
function travel(plan: FaultPlan, frames: readonly string[], advanceMs = 60_000) {
  const clock = manualClock();
  const log = new EventLog({ now: () => clock.nowMs });
  const wire = createSimulatedWire({ ch: "c1", log, clock, assess: new FaultInjector(plan) });
  const got: { readonly raw: string; readonly t: number }[] = [];
  let closed: number | undefined;
  wire.ide.onframe = (raw) => got.push({ raw, t: clock.nowMs });
  wire.ide.onclose = ({ code }) => {
    closed = code;
  };
  for (const frame of frames) wire.agent.send(frame);
  clock.advance(advanceMs);
  const events = log.events.filter(({ ev }) => ev === "frame");
  return { got: got.map(({ raw }) => raw), times: got.map(({ t }) => t), closed, events };
}

const on = (fault: FaultPlan["rules"][number]["fault"], more: object = {}): FaultPlan => ({
  seed: 7,
  rules: [{ match: "method:tools/call", nth: 2, fault, ...more }],
});
const three = [request(1), request(2), request(3)];

test("without a rule that applies, every frame arrives unchanged and in order", () => {
  expect(travel({ seed: 1, rules: [] }, three).got).toEqual(three);
  expect(travel(on({ kind: "drop" }, { nth: 9 }), three).got).toEqual(three);
});

test("a dropped frame is logged as lost, with the fault", () => {
  const { got, events } = travel(on({ kind: "drop" }), three);
  expect(got).toEqual([three[0], three[2]]);
  expect(events[1]).toMatchObject({ raw: three[1], lost: true, fault: "drop" });
});

test.each([
  [{ kind: "duplicate" } as const, [0, 1, 1, 2]],
  [{ kind: "reorder", behind: 1 } as const, [0, 2, 1]],
])("%j", (fault, order) => {
  expect(travel(on(fault), three).got).toEqual(order.map((at) => three[at]));
});

test.each([
  [{ kind: "truncate", keep: 5 } as const, '{"jso'],
  [{ kind: "malformed" } as const, request(2).replace("{", "?")],
  [{ kind: "wrong-id" } as const, request(1_000_002)],
  [{ kind: "missing-id" } as const, request(2).replace('"id":2,', "")],
  [{ kind: "missing-jsonrpc" } as const, request(2).replace('"jsonrpc":"2.0",', "")],
  [{ kind: "oversize", units: 200 } as const, request(2).padEnd(200)],
  [{ kind: "wrong-type" } as const, request(2).replace('"openDiff"', "42")],
])("%j changes the frame, and the log has what arrived", (fault, expected) => {
  const { got, events } = travel(on(fault), three);
  expect(got).toEqual([three[0], expected, three[2]]);
  expect(events[1]).toMatchObject({ raw: expected, fault: expect.any(String) });
});

test("a delay holds back later frames; after a silence they arrive at once", () => {
  expect(travel(on({ kind: "delay", ms: 500 }), three).times).toEqual([0, 500, 500]);
  expect(travel(on({ kind: "silence", ms: 900 }), three).times).toEqual([0, 0, 900]);
});

test("a close replaces the frame, and earlier frames still arrive", () => {
  const { got, closed } = travel(on({ kind: "close", code: 1011 }), three);
  expect([got, closed]).toEqual([[three[0]], 1011]);
});

test("the same seed gives the same result, another seed a different one", () => {
  const many = Array.from({ length: 200 }, (_, id) => request(id));
  const plan = (seed: number): FaultPlan => ({
    seed,
    rules: [{ match: "dir:in", chance: 0.3, fault: { kind: "drop" } }],
  });
  expect(travel(plan(1), many).got).toEqual(travel(plan(1), many).got);
  expect(travel(plan(1), many).got).not.toEqual(travel(plan(2), many).got);
  const lost = 200 - travel(plan(1), many).got.length;
  expect(lost).toBeGreaterThan(30);
  expect(lost).toBeLessThan(90);
});

test.each([
  [null, "expected a plan of faults, got null"],
  [{ seed: 1 }, 'a plan of faults needs "rules"'],
  [{ seed: -1, rules: [] }, '"seed" must be at least 0, saw -1'],
  [
    { seed: 1, rules: [{ match: "x", fault: { kind: "fire" } }] },
    '"kind" in "fault" in item 1 in "rules" must be "delay" or',
  ],
  [
    { seed: 1, rules: [{ match: "x:", fault: { kind: "drop" } }] },
    '"match" in item 1 in "rules": unknown key',
  ],
  [
    { seed: 1, rules: [{ match: "", fault: { kind: "close", code: 5 } }] },
    '"code" in "fault" in item 1 in "rules" must be at least 1000, saw 5',
  ],
])("the plan %j is refused", (value, issue) => {
  expect(parseFaultPlan(value)).toMatchObject({ ok: false, issue: expect.stringContaining(issue) });
});
