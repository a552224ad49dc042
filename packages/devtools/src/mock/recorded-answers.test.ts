import { expect, test } from "vitest";
import type { TraceEvent } from "../trace/format/trace-event.ts";
import { RecordedAnswers } from "./recorded-answers.ts";

/** A trace of requests and their answers. */
function traceOf(...pairs: readonly (readonly [method: string, params: object, answer: object])[]) {
  return pairs.flatMap(([method, params, answer], id): TraceEvent[] => {
    const frame = (dir: "agent>ide" | "ide>agent", message: object): TraceEvent => ({
      ...{ n: id * 2 + 1, t: id, ev: "frame", ch: "c1", dir },
      raw: JSON.stringify({ jsonrpc: "2.0", id, ...message }),
    });
    return [frame("agent>ide", { method, params }), frame("ide>agent", answer)];
  });
}

const call = (args: object, _meta = {}) => ({ name: "echo", arguments: args, _meta });

test("the same request gets the recorded answers in order, and then the last one again", () => {
  const answers = new RecordedAnswers(
    traceOf(
      [
        "initialize",
        { protocolVersion: "2025-11-25" },
        { result: { protocolVersion: "2025-06-18" } },
      ],
      ["tools/call", call({ a: 1, b: 2 }, { progressToken: 1 }), { result: { content: [1] } }],
      ["tools/call", call({ b: 2, a: 1 }), { result: { content: [2] } }],
      ["tools/call", call({ a: 2 }), { error: { code: -32602, message: "no" } }],
    ),
  );
  expect(answers.count).toBe(4);
  expect(answers.answer("initialize", {})).toEqual({ result: { protocolVersion: "2025-06-18" } });
  const again = () => answers.answer("tools/call", call({ a: 1, b: 2 }, { progressToken: 9 }));
  expect([again(), again(), again()]).toEqual([
    { result: { content: [1] } },
    { result: { content: [2] } },
    { result: { content: [2] } },
  ]);
  expect(answers.answer("tools/call", call({ a: 2 }))).toEqual({
    error: { code: -32602, message: "no" },
  });
});

test("the error for an unrecorded request lists the recorded ones", () => {
  const answers = new RecordedAnswers(traceOf(["tools/call", call({ a: 1 }), { result: {} }]));
  expect(answers.answer("tools/call", call({ a: 3 }))).toEqual({
    error: {
      code: -32602,
      message:
        'The recording has no tools/call of {"name":"echo","arguments":{"a":3}}; it has those of {"name":"echo","arguments":{"a":1}}',
    },
  });
  expect(answers.answer("prompts/list", undefined)).toEqual({
    error: { code: -32601, message: "The recording has no answer to prompts/list" },
  });
  expect(answers.answer("ping", undefined)).toEqual({ result: {} });
});
