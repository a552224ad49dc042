import { isObject, pointerTo } from "@idewire/core/internal";
import { RANDOM_DIGITS } from "../../recorded-paths.ts";
import { exactJson } from "../exact-json.ts";
import type { MemberChange, Side } from "./model.ts";

/** Members that differ from run to run: ids, processes, times, tokens. */
const RUN_SPECIFIC =
  /^(id|requestId|progressToken|pid|ppid|port|sessionId|session_id|timestamp|authToken|token)$/;
/** Texts that differ from run to run, anywhere. */
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const STAND_IN = /\bredacted-token-\d{1,9}\b/g;
/** How deep values are compared. */
const MAX_LEVELS = 64;
/** A longer string is not read as JSON. */
const MAX_INNER_UNITS = 1_000_000;

/** Compares values of two sessions, ignoring parts that differ from run to run. */
export class ValueComparer {
  readonly #folders: readonly [a: string, b: string] | undefined;

  /** @param folders the workspace of each session, when they differ */
  constructor(folders: readonly [a: string, b: string] | undefined) {
    this.#folders = folders;
  }

  /** A text that is equal for equal values; not for display. */
  digest(value: unknown, side: Side): string {
    const folder = this.#folders?.[side === "a" ? 0 : 1];
    return JSON.stringify(value ?? null, (key, member: unknown) => {
      if (RUN_SPECIFIC.test(key)) return undefined;
      if (typeof member === "string") return normalised(member, folder);
      if (!isObject(member)) return member;
      return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
    });
  }

  /**
   * The members that differ, in the order of the first session, those of the second last.
   * @param names whether to ignore members whose names mark values of one run
   */
  changes(a: unknown, b: unknown, names = true): readonly MemberChange[] {
    const found: MemberChange[] = [];
    this.#compare([a, b], { path: "", names, level: 0, found });
    return found;
  }

  #compare([a, b]: readonly [unknown, unknown], at: Place): void {
    if (this.#isSame(a, b)) return;
    const [left, right] = [innerOf(a), innerOf(b)];
    const areTrees = isTree(left) && isTree(right) && at.level < MAX_LEVELS;
    if (!areTrees || Array.isArray(left) !== Array.isArray(right)) {
      at.found.push({
        path: at.path,
        ...(a !== undefined && { a }),
        ...(b !== undefined && { b }),
      });
      return;
    }
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    for (const name of names) {
      if (at.names && RUN_SPECIFIC.test(name)) continue;
      const values = [ownOf(left, name), ownOf(right, name)] as const;
      this.#compare(values, { ...at, path: pointerTo(at.path, name), level: at.level + 1 });
    }
  }

  #isSame(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (exactJson.isLongNumber(a)) return exactJson.isLongNumber(b) && String(a) === String(b);
    if (typeof a !== "string" || typeof b !== "string") return false;
    return normalised(a, this.#folders?.[0]) === normalised(b, this.#folders?.[1]);
  }
}

interface Place {
  readonly path: string;
  readonly names: boolean;
  readonly level: number;
  readonly found: MemberChange[];
}

type Tree = Readonly<Record<string, unknown>> | readonly unknown[];

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !exactJson.isLongNumber(value);
}

function ownOf(tree: Tree, name: string): unknown {
  return Object.hasOwn(tree, name) ? (tree as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The JSON value in a string: editors answer in such strings. */
function innerOf(value: unknown): unknown {
  if (typeof value !== "string" || value.length > MAX_INNER_UNITS) return value;
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return exactJson.parse(value);
  } catch {
    return value;
  }
}

/** A text with placeholders for parts that differ from run to run. */
function normalised(text: string, folder: string | undefined): string {
  const own =
    folder === undefined
      ? text
      : text.replaceAll(folder, "<workspace>").replaceAll(backslashed(folder), "<workspace>");
  return own
    .replaceAll(RANDOM_DIGITS, "()")
    .replaceAll(UUID, "<uuid>")
    .replaceAll(TIME, "<time>")
    .replaceAll(STAND_IN, "<token>");
}

function backslashed(folder: string): string {
  return folder.replaceAll("/", "\\");
}
