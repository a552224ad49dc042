import { asObject, type ChangeComment } from "@idewire/core/internal";
import { useState } from "preact/hooks";
import { readItem, saveItem } from "../state/storage.ts";

const KEY = "idewire.unsent-comments";

/** Comments on a change that are collected, and the one that is being written. */
export interface UnsentComments {
  readonly comments: readonly ChangeComment[];
  readonly written?: ChangeComment;
}

const NONE: UnsentComments = { comments: [] };

/** By change; they outlive its view, and a reload. */
const unsent = readUnsent();

/** The unsent comments on a change, and a function that changes them. */
export function useUnsentComments(
  change: string,
): readonly [UnsentComments, (update: (now: UnsentComments) => UnsentComments) => void] {
  const [, draw] = useState({});
  const set = (update: (now: UnsentComments) => UnsentComments): void => {
    const next = update(unsent.get(change) ?? NONE);
    if (next.comments.length > 0 || next.written !== undefined) unsent.set(change, next);
    else unsent.delete(change);
    saveItem(KEY, JSON.stringify([...unsent]), "sessionStorage");
    draw({});
  };
  return [unsent.get(change) ?? NONE, set];
}

/** Those of this tab from before a reload. */
function readUnsent(): Map<string, UnsentComments> {
  try {
    const kept: unknown = JSON.parse(readItem(KEY, "sessionStorage") ?? "[]");
    return new Map(Array.isArray(kept) ? kept.filter(isUnsent) : []);
  } catch {
    // Another program's page used this port in this tab.
    return new Map();
  }
}

function isUnsent(value: unknown): value is [string, UnsentComments] {
  if (!Array.isArray(value)) return false;
  const [change, { comments }] = [value[0] as unknown, asObject(value[1])];
  return typeof change === "string" && Array.isArray(comments);
}
