import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpClient, type McpClientOptions } from "@idewire/core/client";
import type { Transport } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { expect, onTestFinished } from "vitest";
import { CliRun } from "./in-process-cli.ts";
import { openFixture } from "./reference-clients/context.ts";
import type { Fixture } from "./reference-clients/fixture.ts";

/** How clients reach a bridge. */
export type BridgeCarrier = "stdio" | "http";

/** A folder with a file, and its processes. */
export class BridgeContext {
  readonly fixture: Fixture = openFixture();
  readonly folder: string = this.fixture.workspace;
  readonly plan: string = join(this.folder, "plan.md");

  constructor() {
    writeFileSync(this.plan, "one\ntwo\nthree\n");
  }

  /** A scripted editor that shares everything. */
  async serve(...flags: readonly string[]): Promise<CliRun> {
    const args = ["serve", "--script", "--share", "all", ...flags];
    const editor = new CliRun(this.fixture, { args });
    await editor.event("listening");
    return editor;
  }

  bridge(carrier: BridgeCarrier, ...flags: readonly string[]): CliRun {
    const args = ["bridge", ...(carrier === "http" ? ["--http"] : []), ...flags];
    return new CliRun(this.fixture, { args });
  }
}

/** Connects to a bridge as any MCP client. */
export async function connectTo(
  bridge: CliRun,
  carrier: BridgeCarrier,
  options: Partial<McpClientOptions> = {},
): Promise<McpClient> {
  const open = carrier === "http" ? await overHttp(bridge) : overStdio(bridge);
  const client = await McpClient.connect(open, {
    name: "t",
    version: "1",
    era: "legacy",
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The address of a bridge, and the headers of its clients. */
export async function readEndpoint(bridge: CliRun) {
  const pattern = /token in\s+(\S+\.json)/;
  await expect.poll(() => bridge.errors).toMatch(pattern);
  const [, record = ""] = pattern.exec(bridge.errors) ?? [];
  const { url, token } = JSON.parse(readFileSync(record, "utf8"));
  return { url: String(url), token: String(token), record };
}

async function overHttp(bridge: CliRun) {
  const { url, token } = await readEndpoint(bridge);
  const headers = { authorization: `Bearer ${token}` };
  return () => createHttpTransport(url, { headers });
}

function overStdio(bridge: CliRun): Transport {
  return createStdioTransport(bridge.stdout, bridge.stdin);
}
