import { expect, test } from "vitest";
import { FrameIndex } from "../rows/frame-index.ts";
import { explainFrame } from "./explain.ts";

function explain(...raws: readonly (readonly [dir: "agent>ide" | "ide>agent", raw: string])[]) {
  const index = new FrameIndex();
  raws.forEach(([dir, raw], at) => {
    index.add({ n: at + 1, t: at, ev: "frame", ch: "c1", dir, raw });
  });
  const last = index.of(raws.length);
  if (last === undefined) throw new Error("no frame");
  return explainFrame(last, raws.at(-1)?.[1] ?? "").sentence;
}

const call = (name: string, args: object): readonly ["agent>ide", string] => [
  "agent>ide",
  JSON.stringify({ id: 1, method: "tools/call", params: { name, arguments: args } }),
];
const answer = (...texts: readonly string[]): readonly ["ide>agent", string] => [
  "ide>agent",
  JSON.stringify({ id: 1, result: { content: texts.map((text) => ({ type: "text", text })) } }),
];
const diff = call("openDiff", { old_file_path: "C:\\vault\\plan.md" });

test("a frame is explained in plain words", () => {
  expect(explain(diff)).toContain("show a diff of plan.md, and waits for you");
  expect(explain(diff, answer("FILE_SAVED", "text"))).toContain("You accepted");
  expect(explain(diff, answer("DIFF_REJECTED", "tab"))).toContain("rejected");
  const problems = JSON.stringify([{ uri: `file:///${"a".repeat(300)}`, diagnostics: [{}, {}] }]);
  expect(explain(call("getDiagnostics", {}), answer(problems))).toContain("2 problems");
  const selection = { filePath: "/v/a.md", text: "a\nb", selection: {} };
  const raw = JSON.stringify({ method: "selection_changed", params: selection });
  expect(explain(["ide>agent", raw])).toContain("3 characters on 2 lines are selected in a.md");
});

test.each([
  ["{", "not a JSON-RPC message"],
  ["[]", "Several messages"],
  ['{"id":9,"result":null}', "no known request"],
  ['{"id":null,"error":{}}', "an error: nothing (nothing)"],
  ['{"method":"toString"}', "unknown method: “toString”"],
  ['{"id":1,"method":"tools/call","params":{"name":"constructor"}}', "the tool “constructor”"],
  ['{"method":"selection_changed","params":[]}', "nothing is selected"],
])("%s is explained as well", (raw, words) => {
  expect(explain(["agent>ide", raw])).toContain(words);
});
