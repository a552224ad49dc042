import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { ClaudeClient } from "./claude-client.ts";
import type { ClaudeClientOptions } from "./claude-options.ts";
import { openFixture } from "./context.ts";
import type { Fixture } from "./fixture.ts";
import type { ScriptedServeOptions } from "./scripted-serve.ts";
import { ScriptedServe } from "./scripted-serve.ts";
import { PATIENCE_MS } from "./transcript.ts";

/** A place for a day: a throw-away home, and a workspace whose name needs care. */
export interface Place {
  readonly fixture: Fixture;
  readonly folder: string;
  readonly env: { readonly HOME: string; readonly CLAUDE_CONFIG_DIR?: string };
}

export function openPlace(
  config: "home" | "config-dir" = "config-dir",
  name = "Mein Projekt ü 🚀 100%",
): Place {
  const fixture = openFixture();
  const folder = join(fixture.root, name);
  mkdirSync(folder);
  const own = config === "home" ? {} : { CLAUDE_CONFIG_DIR: join(fixture.root, "config dir") };
  return { fixture, folder, env: { HOME: fixture.home, ...own } };
}

/** Writes a file of the folder and gives its path. */
export function write({ folder }: Place, name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

export function startServe(
  place: Place,
  options: Partial<ScriptedServeOptions> = {},
): ScriptedServe {
  const serve = new ScriptedServe({ folder: place.folder, env: place.env, ...options });
  onTestFinished(() => serve.close());
  return serve;
}

export async function startClient(
  place: Place,
  options: Partial<ClaudeClientOptions> = {},
): Promise<ClaudeClient> {
  const client = await ClaudeClient.start({
    env: place.env,
    cwd: place.folder,
    pollMs: 20,
    pollForMs: PATIENCE_MS,
    retryFactor: 0.05,
    moreTries: 50,
    lenient: true,
    ...options,
  });
  onTestFinished(() => client.exit());
  return client;
}

export interface Day {
  readonly place: Place;
  readonly serve: ScriptedServe;
  readonly client: ClaudeClient;
  readonly port: number;
  readonly lockFile: string;
}

/** A listening server and a connected twin. */
export async function openDay(
  options: Partial<ScriptedServeOptions> = {},
  place: Place = openPlace(),
): Promise<Day> {
  const serve = startServe(place, options);
  const { port, lockFile } = await serve.event("listening");
  const client = await startClient(place);
  await client.untilReady();
  return { place, serve, client, port: Number(port), lockFile: String(lockFile) };
}
