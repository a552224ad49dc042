import type { SentFact } from "@idewire/core/internal";
import type { CallToolResult } from "@idewire/core/server";
import type { LineRange } from "../commands/note-parts.ts";

/** A notification to an agent, or the answer of a tool. */
export type SharedEntry = { readonly timeMs: number; readonly agent: string } & (
  | { readonly fact: SentFact /** The notification as sent. */; readonly frame: string }
  | SharedAnswer
);

interface SharedAnswer {
  readonly tool: string;
  /** The beginning of the answer; undefined if the tool failed or returned no text. */
  readonly answer: string | undefined;
}

const MAX_ENTRIES = 50;
/** In UTF-16 units; longer answers are cut, since this is kept in memory. */
const MAX_UNITS = 100_000;

/** Keeps the messages to agents in memory, newest first. */
export class SharedLog {
  #entries: readonly SharedEntry[] = [];

  get entries(): readonly SharedEntry[] {
    return this.#entries;
  }

  /** @param agent its display name */
  addSent(agent: string, fact: SentFact, frame: string): void {
    this.#add({ timeMs: Date.now(), agent, fact, frame });
  }

  /** @param answer undefined if the tool failed */
  addAnswer(agent: string, tool: string, answer: CallToolResult | undefined): void {
    const parts = answer?.content.map((part) => (part.type === "text" ? part.text : part.type));
    const text = parts?.join("\n").slice(0, MAX_UNITS);
    this.#add({ timeMs: Date.now(), agent, tool, answer: text || undefined });
  }

  #add(entry: SharedEntry): void {
    this.#entries = [entry, ...this.#entries].slice(0, MAX_ENTRIES);
  }
}

/** The primary range of a fact with its text; undefined if only a path was sent. */
export function selectedIn(
  fact: SentFact,
): { readonly text: string; readonly lines: LineRange } | undefined {
  const range = fact.kind === "selection" ? fact.ranges?.[fact.primary] : undefined;
  if (range === undefined || range.text === "") return undefined;
  return { text: range.text, lines: { start: range.start.line, end: range.end.line } };
}
