import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCredentialFiles } from "@idewire/node-server/oauth";
import { createDpop, createOAuth } from "@idewire/remote/oauth";
import { AuthorizationFixture, agreeingPerson } from "./authorization-fixture.ts";
import { bundleProgram } from "./bundled-program.ts";
import { removeFolder } from "./remove-folder.ts";

/** What came of a race. */
export interface RaceResult {
  readonly refreshes: number;
  readonly logins: number;
  /** What each call said that was not carried out. */
  readonly failures: readonly string[];
}

/**
 * Has processes with one store call a server at once, each time after all access tokens have ended. The
 * server revokes everything when a refresh token is used twice.
 * @param binds whether the tokens are bound to a key, which all processes then need
 */
export async function raceRefreshes(
  processes: number,
  expiries: number,
  binds = false,
): Promise<RaceResult> {
  const directory = await mkdtemp(join(tmpdir(), "idewire-race-"));
  await using fixture = await new AuthorizationFixture().listen();
  fixture.knobs.binds = binds;
  const children: ChildProcess[] = [];
  try {
    await logIn(fixture, directory);
    const program = await buildWorker(directory);
    for (let index = 0; index < processes; index++) {
      children.push(fork(program, [fixture.server.url, directory], { execArgv: [] }));
    }
    await Promise.all(children.map((child) => once(child, "message")));
    const failures: string[] = [];
    for (let round = 0; round < expiries; round++) {
      fixture.accessTokens.clear();
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send("call");
      for (const [answer] of await Promise.all(answers)) {
        if (answer !== "done") failures.push(answer);
      }
    }
    return { refreshes: fixture.refreshes, logins: fixture.visits.length, failures };
  } finally {
    for (const child of children) child.kill();
    await removeFolder(directory);
  }
}

async function logIn({ server }: AuthorizationFixture, directory: string): Promise<void> {
  const store = createCredentialFiles({ directory });
  const { url } = server;
  const dpop = createDpop();
  const authorization = createOAuth({ url, store, openRedirectTarget: agreeingPerson, dpop });
  const method = "POST";
  await authorization.send({ method, url: new URL(url) }, (headers) =>
    fetch(url, { method, headers }),
  );
}

async function buildWorker(directory: string): Promise<string> {
  const program = join(directory, "worker.mjs");
  await bundleProgram(new URL("oauth-worker.ts", import.meta.url), program);
  return program;
}
