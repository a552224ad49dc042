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
  if (Array.isArray(value)) {
    const items = (value as readonly unknown[]).map((item) => withoutNulls(item, depth + 1));
    return items.some((item, index) => item !== value[index]) ? (items as T) : value;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  // Object.entries takes three times as long.
  for (const name in value) {
    const member = value[name];
    const cleaned = OPAQUE.has(name) ? member : withoutNulls(member, depth + 1);
    if (cleaned === member && member !== null) continue;
    copy ??= { ...value };
    if (cleaned === null) delete copy[name];
    else copy[name] = cleaned;
  }
  return (copy as T | undefined) ?? value;
}
