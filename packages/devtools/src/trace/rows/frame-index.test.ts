import { expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { FrameIndex } from "./frame-index.ts";

function frame(n: number, ch: string): TraceEvent {
  return { n, t: n, ev: "frame", ch, dir: "agent>ide", raw: "{}" };
}

test("rows are numbered from 1, regardless of other events and dropped ones", () => {
  const index = new FrameIndex();
  index.add({ n: 1, t: 0, ev: "open", ch: "a" });
  index.add(frame(2, "a"));
  index.add({ n: 3, t: 2, ev: "transcript", text: "" });
  index.add(frame(4, "b"));
  expect([1, 2, 3, 4].map((n) => index.numberOf(n))).toEqual([1, 2, 2, 3]);
  expect(index.frames.map(({ number }) => number)).toEqual([2, 3]);
  expect([0, 1, 3, 4].map((number) => index.eventOf(number)?.n)).toEqual([
    ...[undefined, 1, 4, undefined],
  ]);
  index.drop(4);
  expect([index.numberOf(4), index.count, index.eventOf(3)?.n]).toEqual([3, 3, 4]);
  expect(index.eventOf(2)).toBe(undefined);
  expect([...index.channels]).toEqual(["a", "b"]);
});
