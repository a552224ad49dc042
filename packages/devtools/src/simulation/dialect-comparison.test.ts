import { expect, test } from "vitest";
import { toComparisonLines } from "./comparison-lines.ts";
import { compareAction, compareDialects, comparedActions } from "./dialect-comparison.ts";

async function framesOf(viewId: string, actionId: string) {
  const view = compareDialects.find(({ id }) => id === viewId);
  const action = comparedActions.find(({ id }) => id === actionId);
  if (view === undefined || action === undefined) throw new Error("no such view or action");
  return (await compareAction(view, action)).map(({ message }) => message);
}

test("a selection is encoded as each dialect requires", async () => {
  const [claude] = await framesOf("claude-code", "selection");
  const [jetBrains] = await framesOf("jetbrains", "selection");
  expect(claude).toMatchObject({
    method: "selection_changed",
    params: { text: "Sow the carrots", filePath: "/home/me/vault/notes/plan.md" },
  });
  expect(jetBrains).toMatchObject({
    method: "notifications/selection_changed",
    params: { file_path: "/home/me/vault/notes/plan.md" },
  });
});

test("a cleared selection has an empty path for opencode, nulls for seed 002, no path for Claude Code", async () => {
  const paramsOf = async (view: string) => (await framesOf(view, "cleared")).at(-1)?.["params"];
  expect(await paramsOf("claude-code")).not.toHaveProperty("filePath");
  expect(await paramsOf("opencode")).toMatchObject({ filePath: "" });
  expect(await paramsOf("claude-code-spec")).toMatchObject({ filePath: null, text: null });
});

test("a mention of a whole file names its lines to opencode alone", async () => {
  const paramsOf = async (view: string) => (await framesOf(view, "mention"))[0]?.["params"];
  expect(await paramsOf("claude-code")).not.toHaveProperty("lineStart");
  expect(await paramsOf("opencode")).toMatchObject({ lineStart: 1, lineEnd: 4 });
  expect(await paramsOf("claude-code-spec")).toMatchObject({ lineStart: null });
});

test.each([
  ["diff-accepted", "FILE_SAVED"],
  ["diff-edited", "FILE_SAVED"],
  ["diff-rejected", "DIFF_REJECTED"],
  ["diff-closed", "DIFF_REJECTED"],
])("%s is answered by %s in every dialect whose agent asks", async (action, word) => {
  for (const { id, calls } of compareDialects) {
    const frames = await framesOf(id, action);
    expect([id, frames.length]).toEqual([id, calls === undefined ? 0 : 2]);
    if (calls !== undefined) {
      expect(frames[1]).toHaveProperty("result.content.0.text", word);
    }
  }
});

test("each dialect reports a diagnostic in its own way", async () => {
  const methods = async (view: string) =>
    (await framesOf(view, "diagnostics")).map(({ method = "result" }) => method);
  expect(await methods("claude-code")).toEqual(["tools/call", "result"]);
  expect(await methods("opencode")).toEqual([]);
  expect(await methods("neovim")).toEqual(["diagnostics_changed", "tools/call", "result"]);
  expect(await methods("claude-code-spec")).toEqual([
    "diagnostics_changed",
    "tools/call",
    "result",
  ]);
  expect(await methods("jetbrains")).toEqual(["tools/call", "result"]);
});

test("only lines that differ from the first dialect are marked", () => {
  const first = { method: "a", params: { x: 1, text: '{"deep":[true]}' } };
  const other = { method: "a", params: { x: 2, text: '{"deep":[true]}', y: null } };
  const marked = toComparisonLines(other, first).filter(({ differs }) => differs);
  expect(marked.map(({ name, text }) => [name, text])).toEqual([
    ["x", "2"],
    ["y", "null"],
  ]);
  expect(toComparisonLines(first, first).some(({ differs }) => differs)).toBe(false);
  expect(toComparisonLines(other, undefined).some(({ differs }) => differs)).toBe(false);
});
