import { containsSecret } from "@idewire/core/internal";

/**
 * Whether a text in a value, or the name of a member, seems to contain a key or a password. Text members are
 * checked together with their names. Uses an explicit stack, since other programs may nest to any depth.
 */
export function hasSecret(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string" && containsSecret(next)) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      if (typeof member === "string") left.push(`"${key}": "${member}"`);
      else left.push(key, member);
    }
  }
  return false;
}
