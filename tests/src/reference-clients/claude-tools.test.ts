import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";
import { lineRange } from "./broken-answers.ts";
import type { Context } from "./context.ts";
import { playClaude } from "./context.ts";
import type { WireMessage } from "./wire.ts";
import { toObject } from "./wire.ts";

function call(frame: WireMessage | undefined): readonly [unknown, unknown] {
  const { name, arguments: args } = toObject(frame?.params);
  return [name, args];
}

/** The client's own calls in order, as `tool` or `tool(uri)`. */
function callNames({ client }: Context): string[] {
  return client.transcript.sent("tools/call").map((frame) => {
    const [name, args] = call(frame);
    return "uri" in toObject(args) ? `${String(name)}(uri)` : String(name);
  });
}

async function opened(context: Context, count = 1): Promise<void> {
  await context.client.until("an open diff", () => context.server.diffs.size === count);
}

verifies(
  ["cli:tools:close-all-diffs", "cli:tools:calls-unlisted"],
  "its own tools are called regardless of the capabilities",
  async () => {
    const context = await playClaude({ capabilities: {} });
    await context.client.prompt("hello");
    expect(call(context.client.transcript.sent("tools/call")[0])).toEqual(["closeAllDiffTabs", {}]);
    const edit = context.client.edit(context.fixture.file("a.txt", "a"), "b");
    await opened(context);
    context.server.decide("accept");
    await edit.result;
    const own = ["openDiff", "close_tab", "close_tab", "getDiagnostics(uri)", "getDiagnostics"];
    expect(callNames(context)).toEqual(["closeAllDiffTabs", ...own]);
  },
);

verifies(
  [
    "cli:diffs:open-diff-arguments",
    "cli:diffs:tab-name",
    "cli:tools:not-cancelled",
    "cli:tools:open-file-unused",
  ],
  "openDiff has four arguments and a unique tab name",
  async () => {
    const context = await playClaude();
    const path = context.fixture.file("a b.txt", "a");
    const edits = [context.client.edit(path, "b"), context.client.edit(path, "c")];
    await opened(context, 2);
    const [frame] = context.client.transcript.calls("openDiff");
    const [, args] = call(frame);
    expect(args).toEqual({
      old_file_path: path,
      new_file_path: path,
      new_file_contents: "b",
      tab_name: edits[0]?.tabName,
    });
    expect(edits[0]?.tabName).toMatch(/^✻ \[Claude Code\] a b\.txt \([0-9a-f]{6}\) ⧉$/);
    expect(edits[0]?.tabName).not.toBe(edits[1]?.tabName);
    for (const edit of edits) edit.answerInTerminal("reject");
    await Promise.all(edits.map((edit) => edit.result));
    expect(context.client.transcript.sent("notifications/cancelled")).toEqual([]);
    expect(context.client.transcript.calls("openFile")).toEqual([]);
  },
);

verifies(
  "cli:diffs:open-diff-modes",
  "modes that do not ask, and the terminal's own diff",
  async () => {
    for (const permissionMode of ["acceptEdits", "auto"] as const) {
      const context = await playClaude({}, { permissionMode });
      const path = context.fixture.file("a.txt", "a");
      expect(await context.client.edit(path, "b").result).toMatchObject({
        by: "mode",
        written: "b",
      });
      expect(context.client.transcript.calls("openDiff")).toEqual([]);
    }
    const context = await playClaude({}, { settings: { diffTool: "terminal" } });
    const edit = context.client.edit(context.fixture.file("a.txt", "a"), "b");
    expect([edit.asking, edit.openDiff]).toEqual(["terminal-only", undefined]);
    edit.answerInTerminal("reject");
    expect(await edit.result).toMatchObject({ by: "terminal", decision: "rejected" });
  },
);

verifies(
  [
    "cli:diffs:saved-text",
    "cli:diffs:saved-edited",
    "cli:diffs:saved-crlf",
    "cli:diffs:close-tab-twice",
  ],
  "the client writes exactly the text of FILE_SAVED",
  async () => {
    const context = await playClaude();
    const path = context.fixture.file("a.txt", "a");
    for (const [text, modifiedByUser] of [
      ["b", false],
      ["b\r\nedited\r\n", true],
    ] as const) {
      const edit = context.client.edit(path, "b");
      await opened(context);
      context.server.decide("accept", text);
      expect(await edit.result).toMatchObject({ by: "ide", written: text, modifiedByUser });
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    expect(context.client.transcript.calls("close_tab")).toHaveLength(4);
    expect(context.client.violations).toEqual([]);
  },
);

verifies("cli:diffs:saved-unchanged", "the old text saved is a rejection", async () => {
  const context = await playClaude();
  const edit = context.client.edit(context.fixture.file("a.txt", "old"), "new");
  await opened(context);
  context.server.decide("accept", "old");
  expect(await edit.result).toMatchObject({ decision: "rejected", by: "ide" });
});

verifies("cli:diffs:diff-rejected", "DIFF_REJECTED ends the turn and writes nothing", async () => {
  const context = await playClaude();
  const path = context.fixture.file("a.txt", "old");
  const edit = context.client.edit(path, "new");
  await opened(context);
  context.server.decide("reject");
  expect(await edit.result).toMatchObject({ decision: "rejected", turnEnds: true });
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(context.client.transcript.calls("getDiagnostics")).toEqual([]);
});

verifies(
  ["cli:diffs:diff-failed", "cli:diffs:saved-alone", "cli:diffs:failed-diff-terminal"],
  "an answer without a decision leaves the question to the terminal",
  async () => {
    const rules = {
      "diff-error": "diff-error",
      "diff-is-error": "diff-error",
      "saved-without-text": "file-saved-without-text",
      "unknown-diff-word": "diff-answer",
    } as const;
    for (const [flaw, rule] of Object.entries(rules)) {
      const context = await playClaude({ flaw: flaw as keyof typeof rules });
      const edit = context.client.edit(context.fixture.file("a.txt", "old"), "new");
      await opened(context);
      context.server.decide("accept");
      await context.client.until("the terminal", () => edit.asking === "terminal-only");
      expect(edit.reportsOpenedInIde).toBe(true);
      expect(context.client.transcript.calls("close_tab")).toHaveLength(1);
      expect(context.client.transcript.rules()).toEqual([rule]);
      edit.answerInTerminal("accept");
      expect(await edit.result).toMatchObject({ decision: "accepted", by: "terminal" });
    }
    const context = await playClaude();
    const edit = context.client.edit(context.fixture.file("a.txt", "old"), "new");
    await opened(context);
    context.server.drop();
    await context.client.until("the terminal", () => edit.asking === "terminal-only");
    expect(context.client.violations).toEqual([]);
  },
);

verifies(
  ["cli:diffs:terminal-answer", "cli:diffs:late-answer"],
  "decided in the terminal, the answer of the editor changes nothing",
  async () => {
    for (const terminalCloseTabs of [1, 2] as const) {
      const context = await playClaude({ flaw: "never-settles" }, { terminalCloseTabs });
      const path = context.fixture.file("a.txt", "old");
      const edit = context.client.edit(path, "new");
      await opened(context);
      edit.answerInTerminal("reject");
      expect(await edit.result).toMatchObject({ decision: "rejected", by: "terminal" });
      expect(context.client.transcript.calls("close_tab")).toHaveLength(terminalCloseTabs);
      expect(context.client.unsettled).toEqual([edit]);
      context.server.decide("accept");
      await context.client.until("settled", () => context.client.unsettled.length === 0);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(context.client.transcript.dropped("late-answer")).toHaveLength(1);
    }
    const context = await playClaude();
    const path = context.fixture.file("a.txt", "old");
    const edit = context.client.edit(path, "new");
    await opened(context);
    edit.answerInTerminal("accept");
    await edit.result;
    expect(readFileSync(path, "utf8")).toBe("new");
    await context.client.until("settled", () => context.client.unsettled.length === 0);
  },
);

verifies("cli:tools:model-tools", "the model sees two tools, if they are listed", async () => {
  const listed = await playClaude();
  await listed.client.until("the list", () => listed.client.modelTools.length > 0);
  const names = ["mcp__ide__getDiagnostics", "mcp__ide__executeCode"];
  expect(listed.client.modelTools).toEqual(names);
  const bare = await playClaude({ capabilities: {} });
  expect(bare.client.modelTools).toEqual([]);
});

/** Accepts an edit as the person, and returns the new problems reported to the model. */
async function received(
  context: Context,
  path: string,
  change: () => void,
): Promise<string | undefined> {
  context.server.afterBaseline = change;
  const edit = context.client.edit(path, "new");
  await opened(context);
  context.server.decide("accept");
  return (await edit.result).newDiagnostics;
}

verifies(
  [
    "cli:diagnostics:baseline-call",
    "cli:diagnostics:workspace-call",
    "cli:diagnostics:baseline-subtracted",
    "cli:diagnostics:diagnostics-shape",
    "cli:diagnostics:model-text",
    "cli:diagnostics:edited-files-only",
    "cli:diagnostics:raw-uris",
  ],
  "only new problems in recently edited files are reported",
  async () => {
    const context = await playClaude();
    const path = context.fixture.file("a b%20ü.json", "{}");
    const other = context.fixture.file("other.json", "{}");
    const old = { message: "was there", severity: "warning" };
    const fresh = { message: "broken", severity: "Error", code: 12, source: "json" };
    context.server.diagnostics.set(path, [old]);
    const text = await received(context, path, () => {
      context.server.diagnostics.set(other, [fresh]);
      context.server.diagnostics.set(path, [old, fresh]);
    });
    const callArguments = context.client.transcript
      .calls("getDiagnostics")
      .map((frame) => call(frame)[1]);
    expect(callArguments).toEqual([{ uri: `file://${path}` }, {}]);
    expect(text).toBe(
      "<new-diagnostics>The following new diagnostic issues were detected:\n\n" +
        "a b%20ü.json:\n  ✘ [Line 2:5] broken [12] (json)</new-diagnostics>",
    );
    const later = { message: "later", severity: "error", range: lineRange(3) };
    context.server.diagnostics.set(path, [old, fresh, later]);
    expect((await context.client.prompt()).newDiagnostics).toContain("[Line 4:5] later");
    context.server.diagnostics.set(path, [old, fresh]);
    expect((await context.client.prompt()).newDiagnostics).toBeUndefined();
    expect(context.client.transcript.calls("getDiagnostics")).toHaveLength(3);
    expect(context.client.violations).toEqual([]);
  },
);

verifies("cli:diagnostics:severities", "known severities in any case have a sign", async () => {
  const context = await playClaude();
  const path = context.fixture.file("a.json", "{}");
  const names = ["ERROR", "Warning", "information", "info", "HINT", "WEAK_WARNING"];
  const text = await received(context, path, () => {
    context.server.diagnostics.set(
      path,
      names.map((severity) => ({ message: severity, severity })),
    );
  });
  expect(text?.match(/[^ ]+(?= \[Line)/g)).toEqual(["✘", "⚠", "ℹ", "ℹ", "★", "•"]);
});

verifies("cli:diagnostics:model-text-cut", "new problems are cut at 4,000 characters", async () => {
  const context = await playClaude();
  const path = context.fixture.file("a.json", "{}");
  const text = await received(context, path, () => {
    context.server.diagnostics.set(path, [{ message: "z".repeat(9000), severity: "error" }]);
  });
  expect(text?.length).toBeLessThan(4200);
  expect(text?.match(/z/g)?.length).toBeGreaterThan(3900);
});
