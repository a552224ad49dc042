import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ClaudeClient } from "./claude-client.ts";
import type { ClaudeClientOptions } from "./claude-options.ts";
import { openFixture } from "./context.ts";
import type { Fixture } from "./fixture.ts";
import type { ScriptedServeOptions } from "./scripted-serve.ts";
import { ScriptedServe } from "./scripted-serve.ts";
import { TIMEOUT_MS } from "./transcript.ts";

/** A temporary home, and a workspace whose name has spaces, umlauts and an emoji. */
export interface Workspace {
  readonly fixture: Fixture;
  readonly folder: string;
  readonly env: { readonly HOME: string; readonly CLAUDE_CONFIG_DIR?: string };
}

export function openWorkspace(
  config: "home" | "config-dir" = "config-dir",
  name = "Mein Projekt ü 🚀 100%",
): Workspace {
  const fixture = openFixture();
  const folder = join(fixture.root, name);
  mkdirSync(folder);
  const own = config === "home" ? {} : { CLAUDE_CONFIG_DIR: join(fixture.root, "config dir") };
  return { fixture, folder, env: { ...fixture.env, ...own } };
}

/** Writes a file of the folder and returns its path. */
export function write({ folder }: Workspace, name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export function startServe(
  workspace: Workspace,
  options: Partial<ScriptedServeOptions> = {},
): ScriptedServe {
  const serve = new ScriptedServe({ folder: workspace.folder, env: workspace.env, ...options });
  onTestFinished(() => serve.close());
  return serve;
}

export async function startClient(
  workspace: Workspace,
  options: Partial<ClaudeClientOptions> = {},
): Promise<ClaudeClient> {
  const client = await ClaudeClient.start({
    env: workspace.env,
    cwd: workspace.folder,
    pollMs: 20,
    pollForMs: TIMEOUT_MS,
    retryFactor: 0.05,
    moreTries: 50,
    lenient: true,
    ...options,
  });
  onTestFinished(() => client.exit());
  return client;
}

export interface ServedSession {
  readonly workspace: Workspace;
  readonly serve: ScriptedServe;
  readonly client: ClaudeClient;
  readonly port: number;
  readonly lockFile: string;
}

/** A listening server and a connected reference client. */
export async function openServedSession(
  options: Partial<ScriptedServeOptions> = {},
  workspace: Workspace = openWorkspace(),
): Promise<ServedSession> {
  const serve = startServe(workspace, options);
  const { port, lockFile } = await serve.event("listening");
  const client = await startClient(workspace);
  await client.untilReady();
  return { workspace, serve, client, port: Number(port), lockFile: String(lockFile) };
}
