import type { McpClient } from "@idewire/core/client";
import { IdewireError } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { expect } from "vitest";

/** Calls of the tools of the chaos server. */
export type Operation = "call" | "question" | "task";

/** The outcome of a call: `lost` may have run once; `unreachable` has not run. */
export type CallOutcome = "answered" | "lost" | "unreachable";

/** Waits for the end of a tool's call, which must be an answer or an error that states the outcome. */
export async function outcomeOf(call: Promise<CallToolResult>): Promise<CallOutcome> {
  try {
    expect((await call).isError).not.toBe(true);
    return "answered";
  } catch (error) {
    if (!(error instanceof IdewireError)) throw error;
    const { code, message } = error;
    if (code !== "lost" && code !== "unreachable") throw error;
    expect(message).toContain("tools/call");
    return code;
  }
}

/** Expects the number of runs that the outcome allows. */
export function expectRuns(runs: number, outcome: CallOutcome, which: string): void {
  if (outcome === "answered") expect(runs, which).toBe(1);
  else expect(runs, `${which}: ${outcome}`).toBeLessThanOrEqual(outcome === "lost" ? 1 : 0);
}

/** Waits until the client is answered again: a kept-alive socket may have to break first. */
export async function expectUsable(client: McpClient): Promise<void> {
  const call = () => client.callTool("call", { key: "after" });
  await expect.poll(() => call().then(textOf, (error: Error) => error.message)).toBe("after");
}

export function textOf({ content: [item] }: CallToolResult): string {
  return item?.type === "text" ? item.text : "";
}
