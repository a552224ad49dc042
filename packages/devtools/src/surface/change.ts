import { asObject, isObject } from "@idewire/core/internal";

/** How a change affects the clients of a server. */
export type ChangeKind =
  /** A call that was valid may now fail, or a result may be unexpected. */
  | "breaking"
  /** All that was valid still is. */
  | "compatible"
  /** Only models and people read what has changed. */
  | "text";

/** A difference between two surfaces. */
export interface SurfaceChange {
  readonly kind: ChangeKind;
  /** What has changed, such as `tool echo`. */
  readonly what: string;
  /** How, such as `message is now required`. */
  readonly detail: string;
}

/** Whether two JSON values are equal, whatever the order of members. */
export function equal(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => equal(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => equal(asObject(one)[name], asObject(other)[name]));
}
