import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import { createDpop, createOAuth } from "@idewire/http/oauth";
import { createCredentialFiles } from "@idewire/node-server/oauth";
import { AuthorizationFixture, agreeingPerson } from "./authorization-fixture.ts";
import { bundleProgram } from "./bundled-program.ts";
import { removeFolder } from "./remove-folder.ts";

/** The result of a race. */
export interface RaceResult {
  readonly refreshes: number;
  readonly logins: number;
  /** The number of logins revoked because a refresh token was used twice, if the server counts them. */
  readonly revoked?: number;
  /** The error of each failed call. */
  readonly failures: readonly string[];
}

/** A server for whose tokens several processes race: using a refresh token twice revokes all tokens of its login. */
export interface RacedServer {
  readonly url: string;
  /** The tool to call. */
  readonly tool: string;
  readonly openRedirectTarget: OpenRedirectTarget;
  /** Expires all access tokens. */
  expire(): unknown;
  counts(): Omit<RaceResult, "failures">;
}

/** Processes with a shared store call a scripted server; see {@link race}. */
export async function raceRefreshes(
  processes: number,
  expiries: number,
  binds = false,
): Promise<RaceResult> {
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.binds = binds;
  const server: RacedServer = {
    ...{ url: fixture.server.url, tool: "a", openRedirectTarget: agreeingPerson },
    expire: () => fixture.accessTokens.clear(),
    counts: () => ({ refreshes: fixture.refreshes, logins: fixture.visits.length }),
  };
  return await race(server, processes, expiries);
}

/**
 * Processes with a shared store call a server concurrently, each time after all access tokens have expired;
 * tokens bound to a key require it in all processes.
 */
export async function race(
  server: RacedServer,
  processes: number,
  expiries: number,
): Promise<RaceResult> {
  const directory = await mkdtemp(join(tmpdir(), "idewire-race-"));
  const children: ChildProcess[] = [];
  try {
    await logIn(server, directory);
    const program = await buildWorker(directory);
    for (let index = 0; index < processes; index++) {
      children.push(fork(program, [server.url, directory, server.tool], { execArgv: [] }));
    }
    await Promise.all(children.map((child) => once(child, "message")));
    const failures: string[] = [];
    for (let round = 0; round < expiries; round++) {
      await server.expire();
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send("call");
      for (const [answer] of await Promise.all(answers)) {
        if (answer !== "done") failures.push(answer);
      }
    }
    return { ...server.counts(), failures };
  } finally {
    for (const child of children) child.kill();
    await removeFolder(directory);
  }
}

async function logIn({ url, openRedirectTarget }: RacedServer, directory: string): Promise<void> {
  const store = createCredentialFiles({ directory });
  const dpop = createDpop();
  const authorization = createOAuth({ url, store, openRedirectTarget, dpop });
  const method = "POST";
  await authorization.send({ method, url: new URL(url) }, async (credentials) =>
    credentials.has("authorization") ? new Response() : fetch(url, { method }),
  );
}

async function buildWorker(directory: string): Promise<string> {
  const program = join(directory, "worker.mjs");
  await bundleProgram(new URL("oauth-worker.ts", import.meta.url), program);
  return program;
}
