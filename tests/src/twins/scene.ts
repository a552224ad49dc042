import { onTestFinished } from "vitest";
import type { Flaw } from "./broken-answers.ts";
import type { BrokenServerOptions } from "./broken-server.ts";
import { BrokenServer } from "./broken-server.ts";
import type { ClaudeTwinOptions, Leniency } from "./claude-options.ts";
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

/** Flaws of timing, which a client that is lenient does not see. */
const untimely: Partial<Readonly<Record<Flaw, Leniency>>> = {
  "speaks-too-early": false,
  "late-baseline": false,
  "late-diagnostics": "all but folders",
};

/**
 * A twin in the workspace of the stage that polls and re-connects faster than the real client, and is
 * lenient to a busy machine.
 */
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
    lenient: true,
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

/** A server, flawless unless said otherwise, and a connected twin. */
export async function playClaude(
  server: BrokenServerOptions = {},
  twin: Partial<ClaudeTwinOptions> = {},
): Promise<Scene> {
  const stage = openStage();
  const opened = await openServer(stage, server);
  const lenient = server.flaw === undefined || (untimely[server.flaw] ?? true);
  const started = await startClaude(stage, { lenient, ...twin });
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
