import {
  claudeCode,
  claudeCodeSpec,
  type Dialect,
  jetBrains,
  neovim,
  type Range,
} from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { manualClock } from "@idewire/core/testing";
import type { ActionOf, ActionStep, AgentActionOf, AgentStep } from "../scenario/file/model.ts";
import { performStep } from "../scenario/play/actions.ts";
import { toScenarioContext } from "./simulated-context.ts";
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

type ToolCall = AgentActionOf<"call">;

const diffWith =
  (more: (path: string) => Params) =>
  (path: string, text: string): ToolCall => ({
    ...{ agent: "call", tool: "openDiff" },
    arguments: {
      ...{ old_file_path: path, ...more(path) },
      ...{ new_file_contents: text, tab_name: "plan.md" },
    },
  });
const ofUri = (path: string): ToolCall => ({
  ...{ agent: "call", tool: "getDiagnostics" },
  arguments: { uri: `file://${path}` },
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
    title: "Neovim plugin",
    spokenBy:
      "As the Neovim plugin is described. Claude Code understands all of it but diagnostics_changed, which it ignores.",
    dialect: neovim,
    agent: "claude-code",
    calls: claudeCalls,
  },
  {
    id: "claude-code-spec",
    title: "Claude Code, specification",
    spokenBy:
      "As the Claude Code plugins are described. Claude Code drops every notification that has a null.",
    dialect: claudeCodeSpec,
    agent: "claude-code",
    calls: { diff: diffWith(() => ({})), diagnostics: ofUri },
  },
  {
    id: "jetbrains",
    title: "JetBrains plugin",
    spokenBy:
      "As the JetBrains plugin is described. Claude Code ignores notifications with the prefix notifications/.",
    dialect: jetBrains,
    agent: "claude-code",
    calls: {
      diff: diffWith(() => ({})),
      diagnostics: (path) => ({
        ...{ agent: "call", tool: "get_diagnostics" },
        arguments: { file_path: path },
      }),
    },
  },
];

/** An action performed in every dialect. */
export interface ComparedAction {
  readonly id: string;
  readonly title: string;
  /** Its steps in a dialect; none if the dialect's agent cannot perform it. */
  readonly steps: (view: DialectView) => readonly (ActionStep | AgentStep)[];
}

const FILE = "notes/plan.md";
const FILE_PATH = `/home/me/vault/${FILE}`;
const TEXT = "# Plan\n\n- [ ] Sow the carrots\n- [ ] See [[harvest]]\n";
const NEW_TEXT = "# Plan\n\n- [x] Sow the carrots\n- [ ] See [[harvest]]\n";
const WORDS: Range = { start: { line: 2, character: 6 }, end: { line: 2, character: 21 } };

/** The actions, in the order of the menu. */
export const comparedActions: readonly ComparedAction[] = [
  action("selection", "Select words", { do: "select", path: FILE, range: WORDS }),
  action("cleared", "Close the last file", { do: "close", path: FILE }),
  action("mention", "Mention a file", { do: "mention", path: FILE }),
  action("mention-lines", "Mention lines 3 to 4", {
    ...{ do: "mention", path: FILE },
    lines: { start: 2, end: 3 },
  }),
  {
    id: "diagnostics",
    title: "A problem appears",
    steps: ({ calls }) => [
      { do: "edit", path: FILE, text: `${TEXT}- [ ] See [[nowhere]]\n` },
      ...(calls === undefined ? [] : [calls.diagnostics(FILE_PATH)]),
    ],
  },
  diffAction("diff-accepted", "A change is accepted", { kind: "accepted" }),
  diffAction("diff-edited", "… accepted, as the person edited it", {
    kind: "accepted",
    text: { find: "carrots", replace: "peas" },
  }),
  diffAction("diff-rejected", "… rejected", { kind: "rejected" }),
  diffAction("diff-closed", "… its tab is closed", { kind: "closed" }),
];

function action(id: string, title: string, step: ActionStep): ComparedAction {
  return { id, title, steps: () => [step] };
}

function diffAction(
  id: string,
  title: string,
  answer: ActionOf<"answerDiff">["answer"],
): ComparedAction {
  return {
    ...{ id, title },
    steps: ({ calls }) =>
      calls === undefined ? [] : [calls.diff(FILE_PATH, NEW_TEXT), { do: "answerDiff", answer }],
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
  const context = toScenarioContext(simulation);
  const perform = async (steps: readonly (ActionStep | AgentStep)[]): Promise<void> => {
    for (const step of steps) {
      await performStep(step, context);
      await settle();
    }
  };
  const cursor = { start: WORDS.start, end: WORDS.start };
  await perform([
    { agent: "connect" },
    { do: "open", path: FILE },
    { do: "select", path: FILE, range: cursor },
  ]);
  const before = simulation.log.last;
  await perform(action.steps(view));
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
