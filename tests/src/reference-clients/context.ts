import { onTestFinished } from "vitest";
import type { Flaw } from "./broken-answers.ts";
import type { BrokenServerOptions } from "./broken-server.ts";
import { BrokenServer } from "./broken-server.ts";
import { ClaudeClient } from "./claude-client.ts";
import type { ClaudeClientOptions, Leniency } from "./claude-options.ts";
import { Fixture } from "./fixture.ts";
import type { OpencodeClientOptions } from "./opencode-client.ts";
import { OpencodeClient } from "./opencode-client.ts";

/** Clients and servers of a test are closed when it ends. */
export function openFixture(): Fixture {
  const fixture = new Fixture();
  onTestFinished(() => fixture.close());
  return fixture;
}

export async function openServer(
  fixture: Fixture,
  options: BrokenServerOptions = {},
): Promise<BrokenServer> {
  const server = await BrokenServer.open(fixture, options);
  onTestFinished(() => server.close());
  return server;
}

/** Timing flaws, which a lenient client does not detect. */
const untimely: Partial<Readonly<Record<Flaw, Leniency>>> = {
  "speaks-too-early": false,
  "late-baseline": false,
  "late-diagnostics": "all but folders",
};

/**
 * A reference client in the fixture's workspace that polls and reconnects faster than the real one, and is
 * lenient on a busy machine.
 */
export async function startClaude(
  fixture: Fixture,
  options: Partial<ClaudeClientOptions> = {},
): Promise<ClaudeClient> {
  const client = await ClaudeClient.start({
    env: fixture.env,
    cwd: fixture.workspace,
    pollMs: 10,
    pollForMs: 300,
    retryFactor: 0.02,
    lenient: true,
    ...options,
  });
  onTestFinished(() => client.exit());
  return client;
}

export interface Context {
  readonly fixture: Fixture;
  readonly server: BrokenServer;
  readonly client: ClaudeClient;
}

/** A server with at most one flaw, and a connected reference client. */
export async function playClaude(
  server: BrokenServerOptions = {},
  client: Partial<ClaudeClientOptions> = {},
): Promise<Context> {
  const fixture = openFixture();
  const opened = await openServer(fixture, server);
  const lenient = server.flaw === undefined || (untimely[server.flaw] ?? true);
  const started = await startClaude(fixture, { lenient, ...client });
  await started.untilReady();
  return { fixture, server: opened, client: started };
}

export function startOpencode(
  fixture: Fixture,
  options: Partial<OpencodeClientOptions> = {},
): OpencodeClient {
  const client = OpencodeClient.start({
    env: fixture.env,
    cwd: fixture.workspace,
    retryFactor: 0.02,
    ...options,
  });
  onTestFinished(() => client.exit());
  return client;
}
