import type { CallToolResult, SentFact } from "@idewire/core";
import type { LineRange } from "../commands/note-parts.ts";

/** Something that an agent was sent unasked, or got by calling a tool. */
export type SharedEntry = { readonly timeMs: number; readonly agent: string } & (
  | { readonly fact: SentFact /** The notification to the letter. */; readonly frame: string }
  | SharedAnswer
);

interface SharedAnswer {
  readonly tool: string;
  /** The beginning of the answer; undefined when the tool failed or had no text. */
  readonly answer: string | undefined;
}

const MAX_ENTRIES = 50;
/** UTF-16 units; a longer answer is cut, since this is kept in memory. */
const MAX_UNITS = 100_000;

/** Remembers what left for the agents, newest first; in memory alone. */
export class SharedLog {
  #entries: readonly SharedEntry[] = [];

  get entries(): readonly SharedEntry[] {
    return this.#entries;
  }

  /** @param agent as people call it */
  addSent(agent: string, fact: SentFact, frame: string): void {
    this.#add({ timeMs: Date.now(), agent, fact, frame });
  }

  /** What a tool answered; undefined when it failed. */
  addAnswer(agent: string, tool: string, answer: CallToolResult | undefined): void {
    const parts = answer?.content.map((part) => (part.type === "text" ? part.text : part.type));
    const text = parts?.join("\n").slice(0, MAX_UNITS);
    this.#add({ timeMs: Date.now(), agent, tool, answer: text || undefined });
  }

  clear(): void {
    this.#entries = [];
  }

  #add(entry: SharedEntry): void {
    this.#entries = [entry, ...this.#entries].slice(0, MAX_ENTRIES);
  }
}

/** The main selected range of a fact with its text; undefined where only a path was sent. */
export function selectedIn(
  fact: SentFact,
): { readonly text: string; readonly lines: LineRange } | undefined {
  const range = fact.kind === "selection" ? fact.ranges?.[fact.primary] : undefined;
  if (range === undefined || range.text === "") return undefined;
  return { text: range.text, lines: { start: range.start.line, end: range.end.line } };
}
