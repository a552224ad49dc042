import { sendLogEvent } from "@idewire/core";
import {
  type EventFacts as CoreEventFacts,
  claudeCodeSpecDiagnostics,
  claudeCodeSpecMention,
  claudeCodeSpecSelection,
  claudeMention,
  claudeSelection,
  diagnosticsChanged,
  ideConnected,
  jetBrainsConnected,
  jetBrainsMention,
  jetBrainsSelection,
  logEvent,
} from "@idewire/devtools/internal";
import type { CapturedContext } from "./capture.ts";
import { mentionFile, mentionLines, selectTwice, selectWords, warn } from "./context.ts";

/** What the pages say of one notification of a dialect: what core knows of it, and examples. */
export interface EventFacts extends CoreEventFacts {
  readonly examples: readonly EventExample[];
}

export interface EventExample {
  readonly title: string;
  /** Makes it happen; left out when it comes by itself. */
  readonly act?: (context: CapturedContext) => void;
  /** As whom the agent has introduced itself; `claude-code` when left out. */
  readonly agent?: "opencode";
}

const selections: readonly EventExample[] = [
  { title: "Words are selected", act: ({ host }) => selectWords(host) },
  { title: "No file is open: what clears", act: ({ host }) => host.setSelection(undefined) },
  { title: "Two ranges, to opencode", act: ({ host }) => selectTwice(host), agent: "opencode" },
  {
    title: "No file is open, to opencode",
    act: ({ host }) => host.setSelection(undefined),
    agent: "opencode",
  },
];
const mentions: readonly EventExample[] = [
  { title: "Lines", act: ({ host }) => mentionLines(host) },
  { title: "A whole file", act: ({ host }) => mentionFile(host) },
];
const connections: readonly EventExample[] = [
  {
    title: "As Claude Code says it",
    act: (context) => context.notify("ide_connected", { pid: 4242 }),
  },
];
const warnings: readonly EventExample[] = [{ title: "A warning", act: ({ host }) => warn(host) }];

export const claudeEvents: readonly EventFacts[] = [
  { ...claudeSelection, examples: selections },
  { ...claudeMention, examples: mentions },
  { ...ideConnected, examples: connections },
];

export const neovimEvents: readonly EventFacts[] = [
  ...claudeEvents,
  { ...diagnosticsChanged, examples: warnings },
  {
    ...logEvent,
    examples: [
      {
        title: "A command was run",
        act: ({ session }) => {
          sendLogEvent(session, { eventName: "command", eventData: { name: "ClaudeSend" } });
        },
      },
    ],
  },
];

export const claudeCodeSpecEvents: readonly EventFacts[] = [
  { ...claudeCodeSpecSelection, examples: selections.filter(({ agent }) => agent === undefined) },
  { ...claudeCodeSpecMention, examples: mentions },
  { ...claudeCodeSpecDiagnostics, examples: warnings },
  { ...ideConnected, examples: connections },
];

export const jetBrainsEvents: readonly EventFacts[] = [
  { ...jetBrainsConnected, examples: [{ title: "After the handshake" }] },
  {
    ...jetBrainsSelection,
    examples: [
      { title: "Words are selected", act: ({ host }) => selectWords(host) },
      { title: "No file is open", act: ({ host }) => host.setSelection(undefined) },
    ],
  },
  { ...jetBrainsMention, examples: mentions },
];
