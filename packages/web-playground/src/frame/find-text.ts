import { pointerTo } from "@idewire/core/internal";
import { occurrencesOf } from "@idewire/devtools/internal";
import { decodeInner, inside, isBranch } from "./json-text.ts";

/** The most matches that are counted. */
export const MAX_FOUND = 10_000;
/** Deeper values cannot be drawn either. */
const MAX_DEPTH = 200;

/** A match in a frame. */
export interface FoundPlace {
  /** The path of the value: a JSON pointer, which may continue inside a string. */
  readonly path: string;
  /** Whether the match is in the name or in the value. */
  readonly part: "name" | "value";
  /** Its offset in the displayed text, in UTF-16 units. */
  readonly at: number;
}

/** A value as displayed in the tree. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

interface Visited {
  readonly path: string;
  readonly depth: number;
  /** The name of a member; undefined for items of an array. */
  readonly name?: string;
  readonly value: unknown;
}

/** The matches in a JSON value, in the order of the tree; at most {@link MAX_FOUND}. */
export function findInJson(searched: string, root: unknown): readonly FoundPlace[] {
  const found: FoundPlace[] = [];
  const look = (path: string, part: FoundPlace["part"], text: string): void => {
    for (const [at] of occurrencesOf(searched, text)) {
      if (found.length === MAX_FOUND) return;
      found.push({ path, part, at });
    }
  };
  const left: Visited[] = [{ path: "", depth: 0, value: root }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.name !== undefined) look(next.path, "name", next.name);
    const children = childrenOf(next);
    if (children === undefined) look(next.path, "value", shownValue(next.value));
    else if (next.depth < MAX_DEPTH) left.push(...children.reverse());
    if (found.length === MAX_FOUND) break;
  }
  return found;
}

/** The children of a value; undefined for a value without children. */
function childrenOf({ path, depth, value }: Visited): Visited[] | undefined {
  const next = depth + 1;
  if (typeof value === "string") {
    const inner = decodeInner(value);
    return inner && [{ path: inside(path), depth: next, value: inner.json }];
  }
  if (!isBranch(value)) return undefined;
  return Object.entries(value).map(([name, item]) => ({
    ...{ path: pointerTo(path, name), depth: next, value: item as unknown },
    ...(!Array.isArray(value) && { name }),
  }));
}

/** The matches in a text. */
export function findInText(searched: string, text: string): readonly FoundPlace[] {
  const found: FoundPlace[] = [];
  for (const [at] of occurrencesOf(searched, text)) {
    if (found.length === MAX_FOUND) break;
    found.push({ path: "", part: "value", at });
  }
  return found;
}
