import { createMemoryTransportPair } from "@idewire/core/rpc";
import { describe, expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { ProblemIndex } from "../problems/problem-index.ts";
import { createRedactor } from "../redaction/redact.ts";
import { FrameIndex } from "../rows/frame-index.ts";
import { EventLog } from "./event-log.ts";
import { EventRecorder } from "./event-recorder.ts";
import { recordTransport } from "./record-transport.ts";

const frame = (raw: string): TraceEvent => ({
  ...{ n: 0, t: 0, ev: "frame", ch: "c1", dir: "agent>ide", raw },
});

/** A recorder whose turns are run by the test. */
function open() {
  const taken: TraceEvent[] = [];
  const turns: (() => void)[] = [];
  const recorder = new EventRecorder({
    redactor: createRedactor(),
    take: (event) => taken.push(event),
    defer: (work) => turns.push(work),
  });
  return { recorder, taken, turns };
}

describe("an observer can neither end, slow down nor stop a connection", () => {
  test.each(["x", "a b", '"', "\\", "[", "/home/", "password=", "é"])(
    "only the beginning of 64 MB of %s is stored, in negligible time",
    (unit) => {
      const { recorder, taken } = open();
      const length = 64_000_000;
      recorder.add(frame(unit.repeat(length / unit.length)));
      recorder.finish();
      const [event] = taken;
      expect(event?.ev === "frame" && event.cut).toBeGreaterThan(length - 10);
      expect(JSON.stringify(event).length).toBeLessThan(400_000);
    },
  );

  test("a long event is scanned in slices, and nothing overtakes it", () => {
    const { recorder, taken, turns } = open();
    recorder.add(frame("word ".repeat(100_000)));
    recorder.add(frame("second"));
    expect(taken).toEqual([]);
    let count = 0;
    for (let turn = turns.shift(); turn !== undefined; turn = turns.shift()) {
      turn();
      count += 1;
    }
    expect(count).toBeGreaterThan(5);
    expect(taken.map((event) => event.ev === "frame" && event.raw.slice(0, 6))).toEqual([
      "word w",
      "second",
    ]);
  });

  test("the queue is bounded, and a note reports what was dropped", () => {
    const { recorder, taken } = open();
    for (let count = 0; count < 20; count += 1) recorder.add(frame("a ".repeat(1_000_000)));
    recorder.finish();
    expect(taken.filter(({ ev }) => ev === "frame").length).toBeLessThan(10);
    expect(taken.at(-1)).toMatchObject({ text: expect.stringMatching(/^\d+ events were not/) });
  });

  test("half of a token at a cut is omitted", () => {
    const { recorder, taken } = open();
    const raw = `${"a ".repeat(32_758)}sk9-${"q1W2".repeat(10)} ${"b ".repeat(3_000_000)}`;
    recorder.add(frame(raw));
    recorder.finish();
    expect(JSON.stringify(taken)).not.toMatch(/q1W2/);
  });

  test("a log that throws does not stop any frame", () => {
    const [left, right] = createMemoryTransportPair();
    const received: string[] = [];
    right.onframe = (sent) => received.push(sent);
    const log = {
      append: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    };
    recordTransport(left, { log, ch: "c1", sends: "agent>ide" }).send("frame");
    return Promise.resolve().then(() => expect(received).toEqual(["frame"]));
  });

  test("deeply nested brackets are parsed by no observer", () => {
    const log = new EventLog();
    const [index, problems] = [new FrameIndex(), new ProblemIndex()];
    log.on("append", (event) => {
      index.add(event);
      problems.add(event);
    });
    const before = process.cpuUsage();
    log.adopt(frame("[".repeat(16_000_000)));
    log.adopt(frame(`{"method":"m","params":${"[{},".repeat(4_000_000)}`));
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
    expect([index.of(1)?.kind, index.of(2)?.kind]).toEqual(["batch", "malformed"]);
  });
});
