import { test } from "vitest";

/**
 * A test that verifies requirements of a manifest. The ids are in its name, so that a run lists them and the
 * coverage tests find them in the sources.
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
