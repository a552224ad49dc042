import { expect, test } from "vitest";
import { FrameIndex } from "../rows/frame-index.ts";
import { explainFrame } from "./explain.ts";
import { outcomeOf, summariseFrame } from "./frame-info.ts";

type Sent = readonly [dir: "agent>ide" | "ide>agent", message: object];

/** The facts of the last frame, and its text. */
function lastOf(...sent: readonly Sent[]) {
  const index = new FrameIndex();
  sent.forEach(([dir, message], at) => {
    index.add({
      ...{ n: at + 1, t: at, ev: "frame", ch: "c1", dir },
      raw: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  });
  const facts = index.of(sent.length);
  if (facts === undefined) throw new Error("no frame");
  return [facts, JSON.stringify(sent.at(-1)?.[1])] as const;
}

const call = (id: number, name: string, args: object): Sent => [
  "agent>ide",
  { id, method: "tools/call", params: { name, arguments: args } },
];
const answer = (id: number, text: string): Sent => [
  "ide>agent",
  { id, result: { content: [{ type: "text", text }] } },
];
const diff = call(1, "openDiff", { old_file_path: "/v/beds.md", tab_name: "beds" });

test.each<[string, readonly Sent[]]>([
  ["beds.md", [diff]],
  ["a: 2, b: 40", [call(1, "get-sum", { a: 2, b: 40 })]],
  ["The sum is 42.", [call(1, "get-sum", {}), answer(1, "The sum\n is 42.")]],
  [
    "2 tools",
    [
      ["agent>ide", { id: 1, method: "tools/list" }],
      ["ide>agent", { id: 1, result: { tools: [{}, {}] } }],
    ],
  ],
  [
    "no such method",
    [["ide>agent", { id: 9, error: { code: -32601, message: "no such method" } }]],
  ],
  [
    "beds.md, lines 1 to 3",
    [
      [
        "ide>agent",
        {
          method: "selection_changed",
          params: { filePath: "/v/beds.md", selection: { start: { line: 0 }, end: { line: 2 } } },
        },
      ],
    ],
  ],
  [
    "warning: dry",
    [["ide>agent", { method: "notifications/message", params: { level: "warning", data: "dry" } }]],
  ],
  ["", [["ide>agent", { method: "constructor" }]]],
])("the list adds “%s” to the name of a frame", (info, sent) => {
  expect(summariseFrame(...lastOf(...sent))).toBe(info);
});

test("a diff that its agent closes is withdrawn, not rejected by the person", () => {
  const close = call(2, "close_tab", { tab_name: "beds" });
  const rejected = answer(1, "DIFF_REJECTED");
  const [facts, raw] = lastOf(diff, close, rejected);
  expect(outcomeOf(facts, raw)).toBe("withdrawn by the agent (close_tab)");
  expect(explainFrame(facts, raw).sentence).toContain("withdrew the diff by close_tab");
  expect(outcomeOf(...lastOf(diff, call(2, "close_tab", { tab_name: "other" }), rejected))).toBe(
    "rejected",
  );
  expect(outcomeOf(...lastOf(diff, call(2, "closeAllDiffTabs", {}), rejected))).toBe(
    "withdrawn by the agent (closeAllDiffTabs)",
  );
  expect(outcomeOf(...lastOf(diff, answer(1, "FILE_SAVED")))).toBe("accepted");
});
