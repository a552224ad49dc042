import type { Expectation } from "@idewire/core/internal";

/** The functions of a test runner that the contracts use. */
export function expect(actual: unknown, message = "a value"): Expectation {
  const demand = (holds: boolean, expected: unknown) => {
    if (holds) return;
    throw new Error(`${message}: expected ${inOrder(expected)}, got ${inOrder(actual)}`);
  };
  return {
    toBe: (expected) => demand(Object.is(actual, expected), expected),
    toEqual: (expected) => demand(inOrder(actual) === inOrder(expected), expected),
  };
}

/** The same text for values whose members are the same, in whatever order; absent is undefined. */
function inOrder(value: unknown): string {
  return String(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ),
  );
}
