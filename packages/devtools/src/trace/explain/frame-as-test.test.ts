import { expect, test } from "vitest";
import type { TraceEvent } from "../format/trace-event.ts";
import { ProblemIndex } from "../problems/problem-index.ts";
import { FrameIndex } from "../rows/frame-index.ts";
import { formatFrameAsTest } from "./frame-as-test.ts";

const raws = [
  [
    "agent>ide",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"openDiff","arguments":{}}}',
  ],
  ["ide>agent", '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`$1`\\n"}]}}'],
] as const;

test.each([1, 2])("frame %i as a test expects its problems, and passes", (n) => {
  const index = new FrameIndex();
  const problems = new ProblemIndex();
  const events = raws.map(
    ([dir, raw], at): TraceEvent => ({ n: at + 1, t: at, ev: "frame", ch: "c1", dir, raw }),
  );
  for (const event of events) {
    index.add(event);
    problems.add(event);
  }
  const facts = index.of(n);
  if (facts === undefined) throw new Error("no such frame");
  const request = n === 2 ? { request: { dir: raws[0][0], raw: raws[0][1] } } : {};
  const source = formatFrameAsTest({
    facts,
    raw: raws[n - 1]?.[1] ?? "",
    ...request,
    problems: problems.of(n),
  });
  expect(problems.of(n).length).toBeGreaterThan(0);
  const names: string[] = [];
  const run = (name: string, body: () => void): void => {
    names.push(name);
    body();
  };
  const body = source.replace(/^import .*$/gm, "").replace(" as const", "");
  new Function("ProblemIndex", "expect", "test", body)(ProblemIndex, expect, run);
  expect(names).toEqual([expect.stringContaining("has the same problems")]);
});
