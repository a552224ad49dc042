import { isObject } from "@idewire/core/internal";
import { type Signal, signal } from "@preact/signals";
import { exactJson } from "../state/exact-json.ts";
import { readItem, saveItem } from "../state/storage.ts";
import { countOf } from "../ui/figures.ts";

const KEY = "idewire.calls";
/** The most entries: the list is read by a person. */
const MAX_SAVED = 50;
/** How many UTF-16 units of JSON they may take together: other things of the page need the browser's storage, too. */
const MAX_UNITS = 1 << 20;

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
  /** Entries that could not be read, or were removed to make room. */
  readonly issue?: string;
}

export const savedCalls: Signal<SavedCalls> = signal(read());

/**
 * Saves a call; one of the same name is replaced. The oldest calls make room for it, those that are not pinned.
 * @returns why it was not saved
 */
export function saveCall(call: SavedCall): string | undefined {
  const calls = [...readStored().calls.filter(({ name }) => name !== call.name), call];
  const removed: string[] = [];
  while (!fits(calls)) {
    const oldest = calls.findIndex((one) => !one.pinned && one !== call);
    if (oldest < 0) return tooMany(calls.length);
    removed.push(...calls.splice(oldest, 1).map(({ name }) => name));
  }
  const failure = write(calls);
  if (removed.length > 0 && failure === undefined) {
    const issue = `Removed to make room, the oldest first: ${removed.join(", ")}. Pinned calls stay.`;
    savedCalls.value = { ...savedCalls.value, issue };
  }
  return failure;
}

/** Deletes the call of a name. @returns why it was not deleted */
export function deleteCall(name: string): string | undefined {
  return write(readStored().calls.filter((one) => one.name !== name));
}

function fits(calls: readonly SavedCall[]): boolean {
  return calls.length <= MAX_SAVED && exactJson.stringify(calls).length <= MAX_UNITS;
}

function tooMany(count: number): string {
  if (count === 1) return `This call is too long: at most ${MAX_UNITS} characters are saved`;
  return `At most ${MAX_SAVED} calls of ${MAX_UNITS} characters together are saved; unpin or delete one first`;
}

/** @param calls the oldest first */
function write(calls: readonly SavedCall[]): string | undefined {
  const text = exactJson.stringify(calls);
  saveItem(KEY, text);
  savedCalls.value = read();
  if (readItem(KEY) === text) return undefined;
  return "This browser did not keep it: its storage is full or switched off";
}

function read(): SavedCalls {
  const { calls, ...rest } = readStored();
  return { ...rest, calls: [...calls].sort(inOrder) };
}

/** The calls as stored, the oldest first. Another version of the page or the person may have changed the storage. */
function readStored(): SavedCalls {
  const text = readItem(KEY);
  if (text === undefined) return { calls: [] };
  const kept = parse(text);
  if (kept === undefined) {
    return {
      calls: [],
      issue: "The saved calls are damaged. The next one that you save replaces them.",
    };
  }
  const calls = kept.filter(isSaved).slice(-MAX_SAVED);
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
