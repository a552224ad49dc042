import { test } from "vitest";

/**
 * A test that proves statements of a requirements manifest. The ids stand in the name, so that a
 * run says what it has proven and the coverage tests find them by reading the sources.
 */
export function verifies(
  ids: string | readonly string[],
  law: string,
  body: () => void | Promise<void>,
  timeoutMs?: number,
): void {
  const list = typeof ids === "string" ? [ids] : ids;
  test(`${law} [${list.join(" ")}]`, body, timeoutMs);
}
