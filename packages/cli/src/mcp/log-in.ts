import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { logOut } from "@idewire/http/oauth";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { clientsOf } from "./authorization.ts";
import { type McpContext, openClient } from "./open-client.ts";
import { fetchUntil } from "./until-stopped.ts";

/** How long each request of a logout may take. */
const REVOCATION_MS = 5_000;

/** Logs in if the server requires it, and stores the tokens for the other actions. */
export async function logIn(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  await endNarrowerLogin(url, context);
  const client = await openClient(context);
  try {
    // Some servers accept any connection, and refuse the first request.
    await client.listTools({ signal: context.stop.signal }).catch(throwUnlessAnswered);
    const kept = await context.store.read(url);
    const { printer } = context;
    if (kept?.tokens === undefined) printer.print(line`${host} requires no login.`);
    else printer.print(line`Logged in to ${host}.`);
    return ExitCode.Ok;
  } finally {
    await client.close();
  }
}

/** Drops the tokens of another client, or without a scope that the person names now: they would be used again. */
async function endNarrowerLogin(url: string, { run, store }: McpContext): Promise<void> {
  const { client, scope } = run.login;
  if (client === undefined && scope === undefined) return;
  await store.exclusively(url, async () => {
    const kept = await store.read(url);
    if (kept?.tokens === undefined) return;
    const granted = kept.tokens.scope?.split(" ") ?? [];
    const wanted = scope?.split(/\s+/).filter(Boolean) ?? [];
    const isSame = client === undefined || client.clientId === kept.tokens.clientId;
    if (isSame && wanted.every((each) => granted.includes(each))) return;
    await store.write(url, { ...kept, tokens: undefined });
  });
}

/** Faults of the tools do not concern the login. */
function throwUnlessAnswered(error: unknown): void {
  if (error instanceof IdewireError && error.code !== "protocol") throw error;
}

/** Revokes and deletes the tokens of a login. */
export async function endLogin(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  const { run, printer, store, stop, fetch } = context;
  const outcome = await logOut({
    url,
    store,
    clients: clientsOf(run),
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
