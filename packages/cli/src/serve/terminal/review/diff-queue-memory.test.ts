import { Emitter } from "@idewire/core";
import { fromNative } from "@idewire/node-server/internal/files";
import { expect, test } from "vitest";
import type { DiffEvents, PendingDiff } from "../../../folder-host/folder-host.ts";
import { DiffQueue, type ReviewedEditor } from "./diff-queue.ts";

test("a pending change costs no more than its texts", () => {
  const waiting: PendingDiff[] = [];
  const events = new Emitter<DiffEvents>();
  const onDiff: ReviewedEditor["onDiff"] = (event, listener) => events.on(event, listener);
  const queue = new DiffQueue({ pendingDiffs: waiting, onDiff });
  const path = fromNative("/w/a.txt");
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 250; number += 1) {
    const proposed = `${number}\n`.repeat(100_000);
    const request = { session: "s1", path, oldPath: path, title: "t", outsideWorkspace: false };
    const pending = { request: { ...request, id: `d${number}`, proposed }, current: "" };
    waiting.push(pending);
    events.emit("diffOpened", pending);
  }
  expect(queue.find("250").diff.added).toBe(100_000);
  expect(queue.current?.diff.added).toBe(100_000);
  // The texts take 140 MB at most; rendered, they would take 600 MB or more.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400_000_000);
});
