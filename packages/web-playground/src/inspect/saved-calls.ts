import { isObject } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { type Signal, signal } from "@preact/signals";
import { exactJson } from "../state/exact-json.ts";
import { readItem, saveItem } from "../state/storage.ts";

const KEY = "idewire.calls";
/** The most entries: the list is read by a person. */
const MAX_SAVED = 50;

/** A saved call of a tool. */
export interface SavedCall {
  readonly name: string;
  readonly tool: string;
  /** Any JSON, from the form or typed. */
  readonly arguments: unknown;
  /** Whether it is listed first. */
  readonly pinned: boolean;
}

/** The saved calls, pinned ones first, then by name. */
export interface SavedCalls {
  readonly calls: readonly SavedCall[];
  /** Entries that could not be read. */
  readonly issue?: string;
}

export const savedCalls: Signal<SavedCalls> = signal(read());

/** Saves a call; one of the same name is replaced. @returns why it was not saved */
export function saveCall(call: SavedCall): string | undefined {
  const others = read().calls.filter(({ name }) => name !== call.name);
  if (others.length === MAX_SAVED) return `${MAX_SAVED} calls are saved; delete one first`;
  return write([...others, call]);
}

/** Deletes the call of a name. @returns why it was not deleted */
export function deleteCall(name: string): string | undefined {
  return write(read().calls.filter((one) => one.name !== name));
}

function write(calls: readonly SavedCall[]): string | undefined {
  const issue = saveItem(KEY, exactJson.stringify(calls));
  savedCalls.value = read();
  return issue;
}

/** Another version of the page or the person may have changed the storage. */
function read(): SavedCalls {
  const text = readItem(KEY);
  if (text === undefined) return { calls: [] };
  const kept = parse(text);
  if (kept === undefined) {
    return {
      calls: [],
      issue: "The saved calls are damaged. The next one that you save replaces them.",
    };
  }
  const calls = kept.filter(isSaved).sort(inOrder).slice(0, MAX_SAVED);
  const damaged = kept.length - calls.length;
  if (damaged === 0) return { calls };
  const issue = `${countOf(damaged, "saved call")} could not be read, and will be removed by the next change.`;
  return { calls, issue };
}

function parse(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = exactJson.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isSaved(value: unknown): value is SavedCall {
  if (!isObject(value)) return false;
  const { name, tool, pinned } = value;
  const hasNames = typeof name === "string" && name !== "" && typeof tool === "string";
  return hasNames && typeof pinned === "boolean" && Object.hasOwn(value, "arguments");
}

function inOrder(a: SavedCall, b: SavedCall): number {
  return Number(b.pinned) - Number(a.pinned) || a.name.localeCompare(b.name);
}
