import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { cutEvent as cutEvidence } from "../../checks/report/evidence.ts";
import type { TraceEvent, TraceFact } from "../format/trace-event.ts";
import { createRedactor } from "../redaction/redact.ts";
import { copyText, cutEvent } from "./cut-event.ts";
import { EventLog } from "./event-log.ts";
import { EventRecorder } from "./event-recorder.ts";

const MB = 1_000_000;

/** Bytes that the process retains. */
function retained(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A flat string, as a connection receives it. */
const textOf = (beginning: string, units: number, fill: string) =>
  Buffer.alloc(units, fill).fill(beginning, 0, beginning.length).toString("latin1");

const frame = (raw: string) => ({ ev: "frame", ch: "c1", dir: "agent>ide", raw }) as const;
const event = (fact: TraceFact, n: number): TraceEvent => ({ n, t: 0, ...fact });

const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping","params":{"a":"`;

test.each<readonly [string, (text: string) => TraceFact]>([
  ["frames", frame],
  ["binary frames", (raw) => ({ ...frame(raw), form: "binary" })],
  ["transcripts", (text) => ({ ev: "transcript", text, who: "idewire" })],
  ["reasons of a close", (reason) => ({ ev: "close", ch: "c1", code: 1000, reason })],
])("a log of %s of 15 MB retains their beginnings alone", (_, factOf) => {
  const log = new EventLog();
  const recorder = new EventRecorder({
    redactor: createRedactor(),
    take: (taken) => void log.adopt(taken),
    defer: (work) => work(),
  });
  const before = retained();
  for (let n = 1; n <= 20; n += 1) {
    recorder.add(event(factOf(textOf(ping(n), 15 * MB, " x")), n));
    recorder.finish();
  }
  expect(log.events).toHaveLength(20);
  expect(retained() - before).toBeLessThan(64 * MB);
});

test("the evidence of a report retains only the beginnings of its frames", () => {
  const before = retained();
  const evidence = Array.from({ length: 20 }, (_, n) =>
    cutEvidence(event(frame(textOf(ping(n), 15 * MB, " x")), n), 2_000),
  );
  expect(evidence).toHaveLength(20);
  expect(retained() - before).toBeLessThan(64 * MB);
});

test("a copy is equal unit by unit, even where it cuts a surrogate pair", () => {
  const text = 'a\u0000\ud83d\ude42"\\\n';
  for (let end = 0; end <= text.length; end += 1) {
    expect(copyText(text.slice(0, end))).toBe(text.slice(0, end));
  }
  const long = cutEvent(event(frame("🙂".repeat(4 * MB)), 1));
  expect(long.ev === "frame" && long.raw.length).toBe(1 << 16);
});
