import { onTestFinished } from "vitest";
import type { BrokenServerOptions } from "./broken-server.ts";
import { BrokenServer } from "./broken-server.ts";
import type { ClaudeTwinOptions } from "./claude-options.ts";
import { ClaudeTwin } from "./claude-twin.ts";
import type { OpencodeTwinOptions } from "./opencode-twin.ts";
import { OpencodeTwin } from "./opencode-twin.ts";
import { Stage } from "./stage.ts";

/** What a test opens here is closed when it ends. */
export function openStage(): Stage {
  const stage = new Stage();
  onTestFinished(() => stage.close());
  return stage;
}

export async function openServer(
  stage: Stage,
  options: BrokenServerOptions = {},
): Promise<BrokenServer> {
  const server = await BrokenServer.open(stage, options);
  onTestFinished(() => server.close());
  return server;
}

/** A twin in the workspace of the stage that polls and re-connects faster than the real client. */
export async function startClaude(
  stage: Stage,
  options: Partial<ClaudeTwinOptions> = {},
): Promise<ClaudeTwin> {
  const twin = await ClaudeTwin.start({
    env: stage.env,
    cwd: stage.workspace,
    pollMs: 10,
    pollForMs: 300,
    retryFactor: 0.02,
    ...options,
  });
  onTestFinished(() => twin.exit());
  return twin;
}

export interface Scene {
  readonly stage: Stage;
  readonly server: BrokenServer;
  readonly twin: ClaudeTwin;
}

/** A server, flawless unless said otherwise, and a connected twin, which is lenient to one without a flaw. */
export async function playClaude(
  server: BrokenServerOptions = {},
  twin: Partial<ClaudeTwinOptions> = {},
): Promise<Scene> {
  const stage = openStage();
  const opened = await openServer(stage, server);
  const started = await startClaude(stage, { lenient: server.flaw === undefined, ...twin });
  await started.untilReady();
  return { stage, server: opened, twin: started };
}

export function startOpencode(
  stage: Stage,
  options: Partial<OpencodeTwinOptions> = {},
): OpencodeTwin {
  const twin = OpencodeTwin.start({
    env: stage.env,
    cwd: stage.workspace,
    retryFactor: 0.02,
    ...options,
  });
  onTestFinished(() => twin.exit());
  return twin;
}
