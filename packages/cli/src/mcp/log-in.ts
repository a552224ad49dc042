import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { logOut } from "@idewire/http/oauth";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { credentialStore } from "./authorization.ts";
import { type McpContext, openClient } from "./open-client.ts";
import { fetchUntil } from "./until-stopped.ts";

/** How long each request of a logout may take. */
const REVOCATION_MS = 5_000;

/** Logs in if the server requires it, and stores the tokens for the other actions. */
export async function logIn(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  const client = await openClient(context);
  try {
    // Some servers accept any connection, and refuse the first request.
    await client.listTools({ signal: context.stop.signal }).catch(throwUnlessAnswered);
    const kept = await credentialStore(context.io).read(url);
    const { printer } = context;
    if (kept?.tokens === undefined) printer.print(line`${host} requires no login.`);
    else printer.print(line`Logged in to ${host}.`);
    return ExitCode.Ok;
  } finally {
    await client.close();
  }
}

/** Faults of the tools do not concern the login. */
function throwUnlessAnswered(error: unknown): void {
  if (error instanceof IdewireError && error.code !== "protocol") throw error;
}

/** Revokes and deletes the tokens of a login. */
export async function endLogin(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  const { printer, io, stop, fetch } = context;
  const outcome = await logOut({
    url,
    store: credentialStore(io),
    fetch: fetchUntil(stop.signal, fetch),
    timeoutMs: REVOCATION_MS,
  });
  if (outcome.kind === "not-logged-in") {
    printer.print(line`You were not logged in to ${host}.`);
    return ExitCode.Ok;
  }
  printer.print(line`Logged out of ${host}.`);
  if (outcome.kind === "not-revoked") {
    const { message } = outcome.reason;
    printer.fail(line`The tokens are deleted here, but were not revoked there: ${message}`);
  }
  return stop.signal.aborted ? stop.requested : ExitCode.Ok;
}

function addressOf({ run: { target } }: McpContext) {
  if ("url" in target) return { url: target.url, host: new URL(target.url).host };
  throw new IdewireError("invalid-argument", `Expected an address, got ${describeValue(target)}`);
}
