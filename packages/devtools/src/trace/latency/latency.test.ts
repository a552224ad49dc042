import { expect, test } from "vitest";
import { FrameIndex } from "../rows/frame-index.ts";
import { measureLatencies } from "./latency.ts";

type Call = readonly [tool: string, tookMs: number | undefined, answer?: object];

/** Each call begins when the one before it is answered. */
function measure(...calls: readonly Call[]) {
  const index = new FrameIndex();
  let [n, t] = [0, 0];
  const add = (dir: "agent>ide" | "ide>agent", message: object): void => {
    n += 1;
    index.add({ n, t, ev: "frame", ch: "c1", dir, raw: JSON.stringify(message) });
  };
  for (const [at, [name, tookMs, answer = { result: {} }]] of calls.entries()) {
    add("agent>ide", { id: at, method: "tools/call", params: { name } });
    if (tookMs === undefined) continue;
    t += tookMs;
    add("ide>agent", { id: at, ...answer });
  }
  return measureLatencies(index.frames);
}

test("median and percentile are by rank, of an even and of an odd count", () => {
  const ten = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((ms): Call => ["openFile", ms]);
  expect(measure(...ten)).toMatchObject([
    { tool: "openFile", count: 10, times: { minMs: 1, medianMs: 5.5, p95Ms: 10, maxMs: 10 } },
  ]);
  expect(measure(...ten.slice(0, 3))).toMatchObject([{ times: { medianMs: 9, p95Ms: 10 } }]);
  expect(measure(["openFile", 4])).toMatchObject([
    { times: { minMs: 4, medianMs: 4, p95Ms: 4, maxMs: 4 } },
  ]);
});

test("a person's time is separate from that of machines, whatever took longer", () => {
  const found = measure(["openDiff", 60_000], ["openFile", 5], ["getDiagnostics", 40]);
  expect(found.map(({ tool, isPersonal }) => [tool, isPersonal])).toEqual([
    ["getDiagnostics", false],
    ["openFile", false],
    ["openDiff", true],
  ]);
});

test("failures are counted, and unanswered requests have no time", () => {
  const found = measure(
    ["a", 1, { error: { code: -32602, message: "no" } }],
    ["a", 1, { result: { isError: true } }],
    ["a", 1],
    ["b", undefined],
  );
  expect(found).toEqual([
    expect.objectContaining({ tool: "a", count: 3, failed: 2, unanswered: 0 }),
    expect.not.objectContaining({ times: expect.anything() }),
  ]);
  expect(found[1]).toMatchObject({ tool: "b", count: 0, unanswered: 1 });
});
