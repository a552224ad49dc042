import type { McpClient } from "@idewire/core/client";
import { IdewireError } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { expect } from "vitest";

/** Calls of the tools of the chaos server. */
export type Operation = "call" | "question" | "task";

/** What became of a call: `lost` may have been carried out, once; `unreachable` was not. */
export type Fate = "answered" | "lost" | "unreachable";

/** Waits for the end of a call of a tool, which must be an answer or an error that says what became of it. */
export async function fateOf(call: Promise<CallToolResult>): Promise<Fate> {
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

/** Expects that a call was carried out as often as its fate says. */
export function expectRuns(runs: number, fate: Fate, which: string): void {
  if (fate === "answered") expect(runs, which).toBe(1);
  else expect(runs, `${which}: ${fate}`).toBeLessThanOrEqual(fate === "lost" ? 1 : 0);
}

/** Waits until the client is answered again: a socket that it kept may have to break first. */
export async function goesOn(client: McpClient): Promise<void> {
  const call = () => client.callTool("call", { key: "after" });
  await expect.poll(() => call().then(textOf, (error: Error) => error.message)).toBe("after");
}

export function textOf({ content: [item] }: CallToolResult): string {
  return item?.type === "text" ? item.text : "";
}
