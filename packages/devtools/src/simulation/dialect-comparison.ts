import {
  claudeCode,
  type Dialect,
  type DiffAnswer,
  jetBrains,
  neovim,
  type Range,
  seed002,
} from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { manualClock } from "@idewire/core/testing";
import { Simulation } from "./simulation.ts";

/** A dialect in the comparison. */
export interface DialectView {
  readonly id: string;
  readonly title: string;
  /** Which editors and agents use it. */
  readonly spokenBy: string;
  readonly dialect: Dialect;
  /** The name in the agent's `clientInfo`. */
  readonly agent: string;
  /** The tool calls of its agent; undefined when it makes none. */
  readonly calls?: {
    readonly diff: (path: string, text: string) => ToolCall;
    readonly diagnostics: (path: string) => ToolCall;
  };
}

interface ToolCall {
  readonly tool: string;
  readonly args: Params;
}

const diffWith = (more: (path: string) => Params) => (path: string, text: string) => ({
  tool: "openDiff",
  args: { old_file_path: path, ...more(path), new_file_contents: text, tab_name: "plan.md" },
});
const ofUri = (path: string): ToolCall => ({
  tool: "getDiagnostics",
  args: { uri: `file://${path}` },
});
const claudeCalls = {
  diff: diffWith((path) => ({ new_file_path: path })),
  diagnostics: ofUri,
};

/** The dialects of the comparison; the others are compared with the first. */
export const compareDialects: readonly DialectView[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    spokenBy: "The default. Understood by Claude Code as it was measured (2.1.330).",
    dialect: claudeCode,
    agent: "claude-code",
    calls: claudeCalls,
  },
  {
    id: "opencode",
    title: "opencode",
    spokenBy:
      "The same server, to an agent that calls itself opencode: it receives selections and mentions, and calls no tool.",
    dialect: claudeCode,
    agent: "opencode",
  },
  {
    id: "neovim",
    title: "Neovim (seed 001)",
    spokenBy:
      "As seed 001 describes a Neovim plugin. Claude Code understands all of it but diagnostics_changed, which it ignores.",
    dialect: neovim,
    agent: "claude-code",
    calls: claudeCalls,
  },
  {
    id: "seed-002",
    title: "Seed 002",
    spokenBy:
      "For clients written for seed 002. Claude Code drops every notification that has a null.",
    dialect: seed002,
    agent: "claude-code",
    calls: { diff: diffWith(() => ({})), diagnostics: ofUri },
  },
  {
    id: "jetbrains",
    title: "JetBrains (seed 000)",
    spokenBy:
      "For clients of seed 000. Claude Code ignores notifications with the prefix notifications/.",
    dialect: jetBrains,
    agent: "claude-code",
    calls: {
      diff: diffWith(() => ({})),
      diagnostics: (path) => ({ tool: "get_diagnostics", args: { file_path: path } }),
    },
  },
];

/** An action that is performed in every dialect. */
export interface ComparedAction {
  readonly id: string;
  readonly title: string;
  act(context: ComparisonContext): void;
}

/** What an action may use. */
export interface ComparisonContext {
  readonly simulation: Simulation;
  readonly view: DialectView;
  /** Adds what to do once the frames so far have arrived. */
  readonly afterwards: (next: () => void) => void;
}

const FILE = "notes/plan.md";
const TEXT = "# Plan\n\n- [ ] Sow the carrots\n- [ ] See [[harvest]]\n";
const NEW_TEXT = "# Plan\n\n- [x] Sow the carrots\n- [ ] See [[harvest]]\n";
const WORDS: Range = { start: { line: 2, character: 6 }, end: { line: 2, character: 21 } };

/** The actions, in the order of the menu. */
export const comparedActions: readonly ComparedAction[] = [
  {
    id: "selection",
    title: "Select words",
    act: ({ simulation }) => void simulation.command({ do: "select", path: FILE, range: WORDS }),
  },
  {
    id: "cleared",
    title: "Close the last file",
    act: ({ simulation }) => void simulation.command({ do: "close", path: FILE }),
  },
  {
    id: "mention",
    title: "Mention a file",
    act: ({ simulation }) => void simulation.command({ do: "mention", path: FILE }),
  },
  {
    id: "mention-lines",
    title: "Mention lines 3 to 4",
    act: ({ simulation }) =>
      void simulation.command({ do: "mention", path: FILE, lines: { start: 2, end: 3 } }),
  },
  {
    id: "diagnostics",
    title: "A problem appears",
    act({ simulation, view, afterwards }) {
      void simulation.command({ do: "edit", path: FILE, text: `${TEXT}- [ ] See [[nowhere]]\n` });
      const call = view.calls?.diagnostics(simulation.nativePath(FILE));
      if (call !== undefined) afterwards(() => void simulation.agent.call(call.tool, call.args));
    },
  },
  diffAction("diff-accepted", "A change is accepted", { kind: "accepted", text: NEW_TEXT }),
  diffAction("diff-edited", "… accepted, as the person edited it", {
    kind: "accepted",
    text: NEW_TEXT.replace("carrots", "peas"),
  }),
  diffAction("diff-rejected", "… rejected", { kind: "rejected" }),
  diffAction("diff-closed", "… its tab is closed", { kind: "closed" }),
];

function diffAction(id: string, title: string, answer: DiffAnswer): ComparedAction {
  return {
    id,
    title,
    act({ simulation, view, afterwards }) {
      const call = view.calls?.diff(simulation.nativePath(FILE), NEW_TEXT);
      if (call === undefined) return;
      void simulation.agent.call(call.tool, call.args);
      afterwards(() => {
        const [diff] = simulation.editor.shownDiffs;
        if (diff !== undefined) simulation.editor.answerDiff(diff.id, answer);
      });
    },
  };
}

/** A frame of the comparison, without `jsonrpc` and `id`. */
export interface ComparedFrame {
  readonly dir: "agent>ide" | "ide>agent";
  readonly message: Readonly<Record<string, unknown>>;
}

/** Performs an action in a new editor of a dialect, and returns the frames that result. */
export async function compareAction(
  view: DialectView,
  action: ComparedAction,
): Promise<readonly ComparedFrame[]> {
  const clock = manualClock();
  const simulation = new Simulation({
    files: { [FILE]: TEXT, "notes/harvest.md": "# Harvest\n" },
    ...{ dialect: view.dialect, agentName: view.agent, clock, now: () => clock.nowMs },
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn += 1) {
      clock.advance(20);
      await nextTurn();
    }
  };
  void simulation.connect();
  await settle();
  void simulation.command({ do: "open", path: FILE });
  void simulation.command({
    ...{ do: "select", path: FILE },
    range: { start: WORDS.start, end: WORDS.start },
  });
  await settle();
  const before = simulation.log.last;
  const later: (() => void)[] = [];
  action.act({ simulation, view, afterwards: (next) => later.push(next) });
  await settle();
  for (const next of later) {
    next();
    await settle();
  }
  const frames = simulation.log.events.filter(({ n }) => n > before).flatMap(readFrames);
  simulation.close();
  return frames;
}

/** Lets promises settle without real time. */
async function nextTurn(): Promise<void> {
  for (let step = 0; step < 12; step += 1) await Promise.resolve();
}

function readFrames(event: { readonly ev: string }): ComparedFrame[] {
  const { dir, raw } = event as { readonly dir?: ComparedFrame["dir"]; readonly raw?: string };
  if (event.ev !== "frame" || dir === undefined || raw === undefined) return [];
  const value: unknown = JSON.parse(raw);
  if (!isObject(value) || value["method"] === "ping") return [];
  const { jsonrpc: _, id: __, ...message } = value;
  // Empty results, such as those of pings, are left out.
  const isEmpty = isObject(message["result"]) && Object.keys(message["result"]).length === 0;
  return isEmpty ? [] : [{ dir, message }];
}
