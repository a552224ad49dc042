import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { verifies } from "../verifies.ts";
import { lineRange } from "./broken-answers.ts";
import type { Scene } from "./scene.ts";
import { playClaude } from "./scene.ts";
import type { WireMessage } from "./wire.ts";
import { toObject } from "./wire.ts";

function call(frame: WireMessage | undefined): readonly [unknown, unknown] {
  const { name, arguments: args } = toObject(frame?.params);
  return [name, args];
}

/** The own calls of the client in order, as `tool` or `tool(uri)`. */
function callNames({ twin }: Scene): string[] {
  return twin.transcript.sent("tools/call").map((frame) => {
    const [name, args] = call(frame);
    return "uri" in toObject(args) ? `${String(name)}(uri)` : String(name);
  });
}

async function opened(scene: Scene, count = 1): Promise<void> {
  await scene.twin.until("an open diff", () => scene.server.diffs.size === count);
}

verifies(
  ["cli:5:close-all-diffs", "cli:1:calls-unlisted"],
  "its own tools are called without a look at the capabilities",
  async () => {
    const scene = await playClaude({ capabilities: {} });
    await scene.twin.prompt("hello");
    expect(call(scene.twin.transcript.sent("tools/call")[0])).toEqual(["closeAllDiffTabs", {}]);
    const edit = scene.twin.edit(scene.stage.file("a.txt", "a"), "b");
    await opened(scene);
    scene.server.decide("accept");
    await edit.result;
    const own = ["openDiff", "close_tab", "close_tab", "getDiagnostics(uri)", "getDiagnostics"];
    expect(callNames(scene)).toEqual(["closeAllDiffTabs", ...own]);
  },
);

verifies(
  ["cli:5:open-diff-arguments", "cli:5:tab-name", "cli:4:not-cancelled", "cli:5:open-file-unused"],
  "openDiff has four arguments and a tab name of its own",
  async () => {
    const scene = await playClaude();
    const path = scene.stage.file("a b.txt", "a");
    const edits = [scene.twin.edit(path, "b"), scene.twin.edit(path, "c")];
    await opened(scene, 2);
    const [frame] = scene.twin.transcript.calls("openDiff");
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
    expect(scene.twin.transcript.sent("notifications/cancelled")).toEqual([]);
    expect(scene.twin.transcript.calls("openFile")).toEqual([]);
  },
);

verifies(
  "cli:5:open-diff-modes",
  "modes without a question, and the terminal's own diff",
  async () => {
    for (const permissionMode of ["acceptEdits", "auto"] as const) {
      const scene = await playClaude({}, { permissionMode });
      const path = scene.stage.file("a.txt", "a");
      expect(await scene.twin.edit(path, "b").result).toMatchObject({ by: "mode", written: "b" });
      expect(scene.twin.transcript.calls("openDiff")).toEqual([]);
    }
    const scene = await playClaude({}, { settings: { diffTool: "terminal" } });
    const edit = scene.twin.edit(scene.stage.file("a.txt", "a"), "b");
    expect([edit.asking, edit.openDiff]).toEqual(["terminal-only", undefined]);
    edit.answerInTerminal("reject");
    expect(await edit.result).toMatchObject({ by: "terminal", decision: "rejected" });
  },
);

verifies(
  ["cli:5:saved-text", "cli:5:saved-edited", "cli:5:saved-crlf", "cli:5:close-tab-twice"],
  "the client writes exactly the text of FILE_SAVED",
  async () => {
    const scene = await playClaude();
    const path = scene.stage.file("a.txt", "a");
    for (const [text, modifiedByUser] of [
      ["b", false],
      ["b\r\nedited\r\n", true],
    ] as const) {
      const edit = scene.twin.edit(path, "b");
      await opened(scene);
      scene.server.decide("accept", text);
      expect(await edit.result).toMatchObject({ by: "ide", written: text, modifiedByUser });
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    expect(scene.twin.transcript.calls("close_tab")).toHaveLength(4);
    expect(scene.twin.violations).toEqual([]);
  },
);

verifies("cli:5:saved-unchanged", "the old text saved is a rejection", async () => {
  const scene = await playClaude();
  const edit = scene.twin.edit(scene.stage.file("a.txt", "old"), "new");
  await opened(scene);
  scene.server.decide("accept", "old");
  expect(await edit.result).toMatchObject({ decision: "rejected", by: "ide" });
});

verifies("cli:5:diff-rejected", "DIFF_REJECTED ends the turn and writes nothing", async () => {
  const scene = await playClaude();
  const path = scene.stage.file("a.txt", "old");
  const edit = scene.twin.edit(path, "new");
  await opened(scene);
  scene.server.decide("reject");
  expect(await edit.result).toMatchObject({ decision: "rejected", turnEnds: true });
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(scene.twin.transcript.calls("getDiagnostics")).toEqual([]);
});

verifies(
  ["cli:5:diff-failed", "cli:5:saved-alone", "cli:1:failed-diff-terminal"],
  "an answer that decides nothing leaves the question to the terminal",
  async () => {
    const rules = {
      "diff-error": "diff-error",
      "diff-is-error": "diff-error",
      "saved-without-text": "file-saved-without-text",
      "unknown-diff-word": "diff-answer",
    } as const;
    for (const [flaw, rule] of Object.entries(rules)) {
      const scene = await playClaude({ flaw: flaw as keyof typeof rules });
      const edit = scene.twin.edit(scene.stage.file("a.txt", "old"), "new");
      await opened(scene);
      scene.server.decide("accept");
      await scene.twin.until("the terminal", () => edit.asking === "terminal-only");
      expect(edit.saysOpenedInIde).toBe(true);
      expect(scene.twin.transcript.calls("close_tab")).toHaveLength(1);
      expect(scene.twin.transcript.rules()).toEqual([rule]);
      edit.answerInTerminal("accept");
      expect(await edit.result).toMatchObject({ decision: "accepted", by: "terminal" });
    }
    const scene = await playClaude();
    const edit = scene.twin.edit(scene.stage.file("a.txt", "old"), "new");
    await opened(scene);
    scene.server.drop();
    await scene.twin.until("the terminal", () => edit.asking === "terminal-only");
    expect(scene.twin.violations).toEqual([]);
  },
);

verifies(
  ["cli:5:terminal-answer", "cli:5:late-answer"],
  "decided in the terminal, the answer of the editor changes nothing",
  async () => {
    for (const terminalCloseTabs of [1, 2] as const) {
      const scene = await playClaude({ flaw: "never-settles" }, { terminalCloseTabs });
      const path = scene.stage.file("a.txt", "old");
      const edit = scene.twin.edit(path, "new");
      await opened(scene);
      edit.answerInTerminal("reject");
      expect(await edit.result).toMatchObject({ decision: "rejected", by: "terminal" });
      expect(scene.twin.transcript.calls("close_tab")).toHaveLength(terminalCloseTabs);
      expect(scene.twin.unsettled).toEqual([edit]);
      scene.server.decide("accept");
      await scene.twin.until("settled", () => scene.twin.unsettled.length === 0);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(scene.twin.transcript.dropped("late-answer")).toHaveLength(1);
    }
    const scene = await playClaude();
    const path = scene.stage.file("a.txt", "old");
    const edit = scene.twin.edit(path, "new");
    await opened(scene);
    edit.answerInTerminal("accept");
    await edit.result;
    expect(readFileSync(path, "utf8")).toBe("new");
    await scene.twin.until("settled", () => scene.twin.unsettled.length === 0);
  },
);

verifies("cli:5:model-tools", "the model sees two tools, if they are listed", async () => {
  const listed = await playClaude();
  await listed.twin.until("the list", () => listed.twin.modelTools.length > 0);
  const names = ["mcp__ide__getDiagnostics", "mcp__ide__executeCode"];
  expect(listed.twin.modelTools).toEqual(names);
  const bare = await playClaude({ capabilities: {} });
  expect(bare.twin.modelTools).toEqual([]);
});

/** Lets the person accept an edit and gives what the model is told of new problems. */
async function told(scene: Scene, path: string, change: () => void): Promise<string | undefined> {
  scene.server.afterBaseline = change;
  const edit = scene.twin.edit(path, "new");
  await opened(scene);
  scene.server.decide("accept");
  return (await edit.result).newDiagnostics;
}

verifies(
  [
    "cli:5:baseline-call",
    "cli:5:workspace-call",
    "cli:5:baseline-subtracted",
    "cli:5:diagnostics-shape",
    "cli:5:model-text",
    "cli:5:edited-files-only",
    "cli:1:raw-uris",
  ],
  "only what is new, in files just edited, is told",
  async () => {
    const scene = await playClaude();
    const path = scene.stage.file("a b%20ü.json", "{}");
    const other = scene.stage.file("other.json", "{}");
    const old = { message: "was there", severity: "warning" };
    const fresh = { message: "broken", severity: "Error", code: 12, source: "json" };
    scene.server.diagnostics.set(path, [old]);
    const text = await told(scene, path, () => {
      scene.server.diagnostics.set(other, [fresh]);
      scene.server.diagnostics.set(path, [old, fresh]);
    });
    const asked = scene.twin.transcript.calls("getDiagnostics").map((frame) => call(frame)[1]);
    expect(asked).toEqual([{ uri: `file://${path}` }, {}]);
    expect(text).toBe(
      "<new-diagnostics>The following new diagnostic issues were detected:\n\n" +
        "a b%20ü.json:\n  ✘ [Line 2:5] broken [12] (json)</new-diagnostics>",
    );
    const later = { message: "later", severity: "error", range: lineRange(3) };
    scene.server.diagnostics.set(path, [old, fresh, later]);
    expect((await scene.twin.prompt()).newDiagnostics).toContain("[Line 4:5] later");
    scene.server.diagnostics.set(path, [old, fresh]);
    expect((await scene.twin.prompt()).newDiagnostics).toBeUndefined();
    expect(scene.twin.transcript.calls("getDiagnostics")).toHaveLength(3);
    expect(scene.twin.violations).toEqual([]);
  },
);

verifies("cli:5:severities", "known severities in any case have a sign", async () => {
  const scene = await playClaude();
  const path = scene.stage.file("a.json", "{}");
  const names = ["ERROR", "Warning", "information", "info", "HINT", "WEAK_WARNING"];
  const text = await told(scene, path, () => {
    scene.server.diagnostics.set(
      path,
      names.map((severity) => ({ message: severity, severity })),
    );
  });
  expect(text?.match(/[^ ]+(?= \[Line)/g)).toEqual(["✘", "⚠", "ℹ", "ℹ", "★", "•"]);
});

verifies("cli:5:model-text-cut", "new problems are cut at 4,000 characters", async () => {
  const scene = await playClaude();
  const path = scene.stage.file("a.json", "{}");
  const text = await told(scene, path, () => {
    scene.server.diagnostics.set(path, [{ message: "z".repeat(9000), severity: "error" }]);
  });
  expect(text?.length).toBeLessThan(4200);
  expect(text?.match(/z/g)?.length).toBeGreaterThan(3900);
});
