import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CliRun, type CliRunOptions } from "./in-process-cli.ts";
import { RawClient } from "./raw-client.ts";
import { openFixture } from "./reference-clients/context.ts";
import type { Fixture } from "./reference-clients/fixture.ts";

/** A small terminal. */
export const TERMINAL = { columns: 80, rows: 24 };

/** A folder served with the terminal frontend. */
export interface TerminalContext {
  readonly fixture: Fixture;
  readonly run: CliRun;
  readonly lockFile: string;
}

export async function openTerminal(options: Partial<CliRunOptions> = {}): Promise<TerminalContext> {
  const fixture = openFixture();
  fixture.file("plan.md", "# Plan\n\none\ntwo\nthree\n");
  const run = new CliRun(fixture, { args: ["serve"], ...options });
  await run.shows("Type help for a list of commands.");
  const name = readdirSync(fixture.lockFolder).find((entry) => entry.endsWith(".lock"));
  return { fixture, run, lockFile: join(fixture.lockFolder, String(name)) };
}

/** An agent of any name. */
export async function joinAs(lockFile: string, name: string): Promise<RawClient> {
  const agent = await RawClient.open(lockFile);
  await agent.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name, version: "2.1.330" },
  });
  agent.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return agent;
}

/** Calls openDiff; the promise is the result of the call. */
export function propose(agent: RawClient, path: string, text: string, title = "a tab") {
  return agent.callTool("openDiff", {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: text,
    tab_name: title,
  });
}

/** The texts of a result's content. */
export function textsOf(result: unknown): readonly string[] {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content.map(({ text }) => text);
}
