import { expect, test } from "vitest";
import { parseFilter } from "../filter/filter.ts";
import { FilteredFrames } from "../filter/filtered-frames.ts";
import { formatTrace } from "../format/trace-file.ts";
import { parseTrace } from "../format/trace-reader.ts";
import { EventLog } from "../recording/event-log.ts";
import { redactTrace } from "../redaction/redact.ts";
import { FrameIndex } from "./frame-index.ts";

function openLog(count: number) {
  const log = new EventLog();
  const index = new FrameIndex();
  log.on("append", (event) => index.add(event));
  log.on("mark", (event) => index.mark(event));
  for (let id = 1; id <= count; id += 1) {
    const raw = JSON.stringify({ id, method: "m" });
    log.append({ ev: "frame", ch: "c1", dir: "agent>ide", raw });
  }
  return { log, index };
}

test("a mark and its note are stored in the trace, and redacted like all text", () => {
  const { log } = openLog(2);
  log.mark(2, "see /home/ada/notes.md");
  const { trace } = redactTrace({ header: {}, events: log.events });
  const read = parseTrace(formatTrace(trace));
  expect(read.ok && read.value.events.map(({ mark }) => mark)).toEqual([
    undefined,
    "see /home/me/notes.md",
  ]);
});

test("is:marked reflects added and removed marks", () => {
  const { log, index } = openLog(3);
  const filter = parseFilter("is:marked");
  if (!filter.ok) throw new Error(filter.issue);
  const filtered = new FilteredFrames({ index, filter: filter.value, raw: () => "" });
  const rows = () => {
    filtered.update();
    return filtered.rows.map(({ n }) => n);
  };
  expect(rows()).toEqual([]);
  log.mark(3, "");
  log.mark(1, "first");
  expect(rows()).toEqual([1, 3]);
  log.mark(3, undefined);
  expect(rows()).toEqual([1]);
  expect(log.at(3)).not.toHaveProperty("mark");
});

test("a mark of a dropped event has no effect", () => {
  const { log, index } = openLog(1);
  log.mark(7, "nobody");
  expect([log.events.length, index.marks]).toEqual([1, 0]);
});
