import { expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { FrameIndex } from "./frame-facts.ts";

function frame(n: number, ch: string): TraceEvent {
  return { n, t: n, ev: "frame", ch, dir: "agent>ide", raw: "{}" };
}

test("frames are counted from 1, whatever is between them and whatever was dropped", () => {
  const index = new FrameIndex();
  index.add({ n: 1, t: 0, ev: "open", ch: "a" });
  index.add(frame(2, "a"));
  index.add({ n: 3, t: 2, ev: "transcript", text: "" });
  index.add(frame(4, "b"));
  expect([index.ordinalOf(2), index.ordinalOf(4)]).toEqual([1, 2]);
  index.drop(4);
  expect(index.ordinalOf(4)).toBe(2);
  expect([...index.channels]).toEqual(["a", "b"]);
});
