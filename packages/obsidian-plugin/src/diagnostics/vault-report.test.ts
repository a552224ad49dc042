// @vitest-environment jsdom
import type { Diagnostic } from "@idewire/core";
import { describe, expect, test } from "vitest";
import { createReport, formatReport } from "./vault-report.ts";

const start = { line: 1, character: 2 };
const broken: Diagnostic = {
  range: { start, end: start },
  severity: "warning",
  message: "There is no note",
};

function notes(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `Note ${String(at).padStart(5, "0")}.md`);
}

/** Takes that long without letting anybody else work. */
function busy(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe("a report of a vault", () => {
  test("lets others work in between, however many notes there are", async () => {
    let longestMs = 0;
    let lastMs = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const check = async () => {
      busy(1);
      return [];
    };
    const report = await createReport({ paths: notes(300), check });
    clearInterval(timer);
    expect(report.checked).toBe(300);
    // 25 ms on an idle machine.
    expect(longestMs).toBeLessThan(250);
  });

  test("lists so many findings, counts all, and says so", async () => {
    const check = async () => [broken, broken, broken];
    const report = { ...(await createReport({ paths: notes(1_000), check })), excluded: 2 };
    expect(report).toMatchObject({ listed: 2_000, found: 3_000, counts: { warning: 3_000 } });
    const [head, first, ...others] = formatReport(report, 10).split("\n");
    expect(head).toBe(
      "3000 warnings found in 1000 notes. The first 10 of 3000 are listed. Excluded notes left out: 2.",
    );
    expect(first).toBe("Note 00000.md:2:3 warning: There is no note");
    expect(others).toHaveLength(9);
  });

  test("stops when it is told to, and says how far it came", async () => {
    const stop = new AbortController();
    const onProgress = (checked: number) => checked === 20 && stop.abort();
    const check = async () => [];
    const report = await createReport({
      paths: notes(500),
      check,
      onProgress,
      signal: stop.signal,
    });
    expect(report.isStopped).toBe(true);
    expect(report.checked).toBeLessThan(40);
    expect(formatReport({ ...report, excluded: 0 })).toContain("of 500 notes (stopped)");
  });

  test("goes on past a note that cannot be read", async () => {
    const check = (path: string) =>
      path.endsWith("1.md") ? Promise.reject(new Error("gone")) : Promise.resolve([broken]);
    const report = await createReport({ paths: notes(3), check });
    expect(report).toMatchObject({ checked: 3, found: 2 });
  });
});
