// @vitest-environment jsdom
import type { Diagnostic } from "@idewire/core";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createReport, formatReport, type ReportOptions } from "./vault-report.ts";

const start = { line: 1, character: 2 };
const broken: Diagnostic = {
  range: { start, end: start },
  severity: "warning",
  message: "There is no note",
};

afterEach(() => void vi.restoreAllMocks());

function notes(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `Note ${String(at).padStart(5, "0")}.md`);
}

/** Nothing is excluded, and every note has three faults. */
function report(options: Partial<ReportOptions>) {
  const all = { isExcluded: () => false, check: async () => [broken, broken, broken] };
  return createReport({ paths: notes(1_000), ...all, ...options });
}

describe("a report of a vault", () => {
  test("yields to other work, however many notes are read concurrently", async () => {
    let nowMs = 0;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    let turn = 0;
    const count = () => {
      turn += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    onTestFinished(() => clearImmediate(immediate));
    const workMs = new Map<number, number>();
    const answers: (() => void)[] = [];
    const check: ReportOptions["check"] = async (_path, inTurn) => {
      await new Promise<void>((resolve) => {
        if (answers.push(resolve) > 1) return;
        setTimeout(() => {
          for (const answer of answers.splice(0)) answer();
        });
      });
      return inTurn(() => {
        nowMs += 1;
        workMs.set(turn, (workMs.get(turn) ?? 0) + 1);
        return [];
      });
    };
    expect(await report({ paths: notes(300), check })).toMatchObject({ checked: 300 });
    // The rest of one slice of ten, and all of the next.
    expect(Math.max(...workMs.values())).toBeLessThan(23);
  });

  test("lists a limited number of findings, with the count of all", async () => {
    const isExcluded = (path: string) => /[34]0\.md$/.test(path);
    const made = await report({ paths: notes(1_020), isExcluded });
    const excluded = notes(1_020).filter(isExcluded).length;
    expect(made).toMatchObject({ listed: 2_000, excluded, total: 1_020 - excluded });
    const found = 3 * (1_020 - excluded);
    expect(made).toMatchObject({ found, counts: { warning: found } });
    const [head, first, ...others] = formatReport(made).split("\n");
    expect(head).toBe(
      `${found} warnings found in ${1_020 - excluded} notes. The first 2000 of ${found} are listed. ` +
        `Excluded notes left out: ${excluded}.`,
    );
    expect(first).toBe("Note 00000.md:2:3 warning: There is no note");
    expect(others).toHaveLength(1_999);
  });

  test("stops when aborted, and reports how far it got", async () => {
    const stop = new AbortController();
    const onProgress = (checked: number) => checked === 20 && stop.abort();
    const made = await report({ paths: notes(500), onProgress, signal: stop.signal });
    expect(made.isStopped).toBe(true);
    expect(made.checked).toBeLessThan(100);
    expect(formatReport(made)).toContain("of 500 notes (stopped)");
  });

  test("continues after a note that cannot be read", async () => {
    const check = (path: string) =>
      path.endsWith("1.md") ? Promise.reject(new Error("gone")) : Promise.resolve([broken]);
    expect(await report({ paths: notes(3), check })).toMatchObject({ checked: 3, found: 2 });
  });

  test("sorts notes in natural order, whichever was read first", async () => {
    const paths = ["b.md", "Note 10.md", "a.md", "Note 9.md", "Note 1.md"];
    const { notes: found } = await report({ paths });
    const sorted = ["a.md", "b.md", "Note 1.md", "Note 9.md", "Note 10.md"];
    expect(found.map(({ path }) => path)).toEqual(sorted);
  });
});
