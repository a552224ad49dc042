import type { PosixPath } from "@idewire/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { OutputReader } from "./output-reader.ts";

test("reading continues however slow a busy machine is", () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    nowMs += 10_000;
    return nowMs;
  });
  onTestFinished(() => clock.mockRestore());
  const reader = new OutputReader(undefined, "/vault" as PosixPath);
  for (let line = 1; line <= 1_000; line += 1) reader.push(0, `a.c:${line}:1: error: x`);
  expect(reader.isTooSlow).toBe(false);
  expect(reader.end()).toHaveLength(1_000);
});
