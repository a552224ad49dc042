import { pointerTo } from "@idewire/core/internal";
import { decodeInner, inside } from "./json-text.ts";

/** As many as are counted. */
export const MAX_FOUND = 10_000;
/** Deeper values cannot be drawn either. */
const MAX_DEPTH = 200;

/** Where a text is in a frame. */
export interface FoundPlace {
  /** The path of the value: a JSON pointer, or one that goes on inside a string. */
  readonly path: string;
  /** Whether it is in the name or in the value. */
  readonly part: "name" | "value";
  /** Its index in that text as it is shown, in UTF-16 units. */
  readonly at: number;
}

/** Where a text begins and ends in another, whatever the case of letters. */
export function* occurrencesOf(
  sought: string,
  text: string,
): Generator<readonly [start: number, end: number]> {
  if (sought === "") return;
  const pattern = new RegExp(sought.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  for (const { 0: found, index } of text.matchAll(pattern)) yield [index, index + found.length];
}

/** A value as the tree shows it. */
export function shownValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

interface Visited {
  readonly path: string;
  readonly depth: number;
  /** That of a member; undefined for items, which have numbers only. */
  readonly name?: string;
  readonly value: unknown;
}

/** Where a text is in a JSON value, in the order of the tree; at most {@link MAX_FOUND} places. */
export function findInJson(sought: string, root: unknown): readonly FoundPlace[] {
  const found: FoundPlace[] = [];
  const look = (path: string, part: FoundPlace["part"], text: string): void => {
    for (const [at] of occurrencesOf(sought, text)) {
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

/** What is drawn below a value; undefined when that is drawn itself. */
function childrenOf({ path, depth, value }: Visited): Visited[] | undefined {
  const next = depth + 1;
  if (typeof value === "string") {
    const inner = decodeInner(value);
    return inner && [{ path: inside(path), depth: next, value: inner.json }];
  }
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).map(([name, item]) => ({
    ...{ path: pointerTo(path, name), depth: next, value: item as unknown },
    ...(!Array.isArray(value) && { name }),
  }));
}

/** Where a text is in another, as places of that text. */
export function findInText(sought: string, text: string): readonly FoundPlace[] {
  const found: FoundPlace[] = [];
  for (const [at] of occurrencesOf(sought, text)) {
    if (found.length === MAX_FOUND) break;
    found.push({ path: "", part: "value", at });
  }
  return found;
}
