import type { CallToolResult } from "@idewire/core";

/** Something that an agent was told, or asked for. */
export interface SharedEntry {
  readonly timeMs: number;
  /** The agent, as people call it. */
  readonly agent: string;
  readonly kind: "selection" | "cleared" | "mention" | "diagnostics" | "call" | "other";
  /** The file it was about. */
  readonly path: string | undefined;
  /** The selected text, or the answer, that was sent, to the letter. */
  readonly text: string | undefined;
  /** 1-based, as editors count; both included. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
  /** The message itself. */
  readonly frame: string;
}

const MAX_ENTRIES = 50;
/** A longer answer is cut: this is kept in memory. */
const MAX_UNITS = 100_000;

/** Remembers what left for the agents, newest first; in memory alone. */
export class SharedLog {
  #entries: readonly SharedEntry[] = [];

  get entries(): readonly SharedEntry[] {
    return this.#entries;
  }

  /** The newest that gave an agent something. */
  get last(): SharedEntry | undefined {
    return this.#entries.find(({ kind }) => kind !== "call");
  }

  add(agent: string, frame: string, timeMs: number): SharedEntry {
    const entry = { timeMs, agent, frame, ...readSafely(frame) };
    this.#entries = [entry, ...this.#entries].slice(0, MAX_ENTRIES);
    return entry;
  }

  /** What a tool answered; undefined when it failed. */
  addAnswer(agent: string, name: string, answer: CallToolResult | undefined): void {
    const said = answer?.content.map((part) => (part.type === "text" ? part.text : part.type));
    const text = said?.join("\n").slice(0, MAX_UNITS);
    const frame = JSON.stringify({ method: "tools/call", params: { name, text } });
    this.add(agent, frame, Date.now());
  }

  clear(): void {
    this.#entries = [];
  }
}

interface Wire {
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly filePath?: string;
    readonly uri?: string;
    readonly text?: string;
    readonly selection?: { readonly start: WirePosition; readonly end: WirePosition };
    readonly lineStart?: number;
    readonly lineEnd?: number;
  };
}

interface WirePosition {
  readonly line: number;
}

/** What is told is told, whether it can be read here or not. */
function readSafely(frame: string): ReturnType<typeof readFrame> {
  try {
    return readFrame(frame);
  } catch {
    return { kind: "other", path: undefined, text: undefined, lines: undefined };
  }
}

/** Reads what the frame tells a person; the frame is ours, and well formed. */
function readFrame(frame: string): Omit<SharedEntry, "timeMs" | "agent" | "frame"> {
  const { method = "", params = {} } = JSON.parse(frame) as Wire;
  const path = params.filePath ?? params.uri;
  switch (method) {
    case "selection_changed": {
      if (!path) return { kind: "cleared", path: undefined, text: undefined, lines: undefined };
      const { text, selection } = params;
      const lines =
        text && selection ? linesOf(selection.start.line, selection.end.line) : undefined;
      return { kind: "selection", path, text: text || undefined, lines };
    }
    case "at_mentioned": {
      const { lineStart, lineEnd = lineStart } = params;
      const lines = lineStart === undefined ? undefined : linesOf(lineStart, lineEnd ?? lineStart);
      return { kind: "mention", path, text: undefined, lines };
    }
    case "diagnostics_changed":
      return { kind: "diagnostics", path, text: undefined, lines: undefined };
    case "tools/call":
      return { kind: "call", path: params.name, text: params.text || undefined, lines: undefined };
    default:
      return { kind: "other", path, text: undefined, lines: undefined };
  }
}

function linesOf(start: number, end: number): { readonly start: number; readonly end: number } {
  return { start: start + 1, end: end + 1 };
}
