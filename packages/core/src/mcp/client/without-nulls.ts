import { isObject } from "../../rpc/message.ts";

/** Members with foreign data, in which null has a meaning. */
const OPAQUE: ReadonlySet<string> = new Set([
  "_meta",
  "inputSchema",
  "outputSchema",
  "structuredContent",
]);

/** Deeper than any description, and no risk for the stack. */
const MAX_DEPTH = 20;

/**
 * A server's value without the members that are null: some serialisers write absent members so. Only values with
 * such members are copied.
 */
export function withoutNulls<T>(value: T, depth = 0): T {
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return itemsWithoutNulls(value, depth) as T;
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  // Object.entries takes three times as long.
  for (const name in value) {
    const member = value[name];
    // Most members are texts, which are not looked up.
    if (typeof member !== "object") continue;
    const cleaned = OPAQUE.has(name) ? member : withoutNulls(member, depth + 1);
    if (cleaned === member && member !== null) continue;
    copy ??= { ...value };
    if (cleaned === null) delete copy[name];
    else copy[name] = cleaned;
  }
  return (copy as T | undefined) ?? value;
}

function itemsWithoutNulls(items: readonly unknown[], depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const cleaned = withoutNulls(items[index], depth + 1);
    if (cleaned === items[index]) continue;
    copy ??= [...items];
    copy[index] = cleaned;
  }
  return copy ?? items;
}
