import { exactJson } from "../exact-json.ts";
import type { MemberChange } from "./model.ts";

/** A change as one line can show it. */
export interface ShownChange {
  readonly path: string;
  /** As JSON; long texts are cut to the part that differs. The side that lacks it has none. */
  readonly a?: string;
  readonly b?: string;
}

/** How much is shown before the first difference. */
const BEFORE = 20;

/**
 * A change with its values as JSON.
 * @param width how many UTF-16 units of each value are shown at most
 */
export function showChange({ path, a, b }: MemberChange, width: number): ShownChange {
  const [left, right] = [a, b].map((value) =>
    value === undefined ? value : exactJson.stringify(value),
  );
  let start = 0;
  if (left !== undefined && right !== undefined) {
    while (start < left.length && left[start] === right[start]) start += 1;
    start = left.length > width || right.length > width ? Math.max(0, start - BEFORE) : 0;
  }
  const cut = (text: string): string => {
    const end = start + width;
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  };
  return {
    path: path === "" ? "/" : path,
    ...(left !== undefined && { a: cut(left) }),
    ...(right !== undefined && { b: cut(right) }),
  };
}
