import { expect, test } from "vitest";
import { manualClock } from "../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";
import { fakeEditorHost } from "./fake-editor-host.ts";
import { posixPath } from "./posix-path.ts";
import { settled } from "./raw-end.ts";
import { recordFrames } from "./record-frames.ts";
import { sampleDocument } from "./sample-values.ts";

test("a manual clock runs what falls due in order, and nothing else", () => {
  const clock = manualClock();
  const ran: string[] = [];
  const note = (name: string) => () => void ran.push(`${name} at ${clock.nowMs}`);
  clock.setTimeout(note("late"), 30);
  clock.setTimeout(note("first"), 10);
  clock.setTimeout(note("second"), 10);
  clock.clearTimeout(clock.setTimeout(note("never"), 5));
  clock.advance(9);
  expect(ran).toEqual([]);
  clock.advance(1);
  expect(ran).toEqual(["first at 10", "second at 10"]);
  expect(clock.waiting).toBe(1);
  clock.advance(100);
  expect(ran.at(-1)).toBe("late at 30");
  expect([clock.nowMs, clock.waiting]).toEqual([110, 0]);
});

test("a timer that is set by a timer runs in the same advance if it falls due", () => {
  const clock = manualClock();
  const ran: number[] = [];
  const again = () => {
    ran.push(clock.nowMs);
    clock.setTimeout(again, 40);
  };
  clock.setTimeout(again, 40);
  clock.advance(130);
  expect(ran).toEqual([40, 80, 120]);
});

test("a recorder keeps direction, time and text of every frame, and passes it on", async () => {
  let now = 1000;
  const [left, right] = createMemoryTransportPair();
  const recorder = recordFrames(left, () => now);
  const received: unknown[] = [];
  recorder.onframe = (frame) => received.push(frame);
  recorder.onclose = (reason) => received.push(reason);
  recorder.send("out 1");
  expect(recorder.bufferedAmount).toBe(5);
  now += 5;
  right.send("in 1");
  await settled();
  now += 5;
  recorder.close(4001, "bye");
  await settled();
  expect(recorder.frames).toEqual([
    { direction: "out", timeMs: 0, frame: "out 1" },
    { direction: "in", timeMs: 5, frame: "in 1" },
  ]);
  expect(received).toEqual(["in 1", { code: 4001, reason: "bye" }]);
  expect(recorder.closeReason).toEqual({ code: 4001, reason: "bye" });
});

test("an override replaces a member, and undefined removes an optional one", async () => {
  const path = posixPath("/vault/a.txt");
  const host = fakeEditorHost({ read: async () => "mine", save: undefined });
  expect(await host.read(path)).toBe("mine");
  expect(host.save).toBe(undefined);
  expect(await host.closeTab("none")).toBe(false);
  expect(host.callsOf("closeTab")).toEqual([["none"]]);
});

test("the fake has the documents that a test sets", async () => {
  const host = fakeEditorHost();
  const document = sampleDocument({ label: "A" });
  host.setDocuments([document]);
  expect(host.documents()).toEqual([document]);
  expect(await host.closeTab("A")).toBe(true);
  expect(host.documents()).toEqual([]);
});

test("an invalid path in a test is named immediately", () => {
  expect(() => posixPath("a.txt")).toThrow('the path "a.txt" is not absolute');
});
