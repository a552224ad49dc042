import { IdewireError } from "@idewire/core";
import { line } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { credentialStore } from "./authorization.ts";
import { type McpContext, openClient } from "./open-client.ts";

/** Logs in where the server wants it, and keeps what the other actions then use. */
export async function logIn(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  const client = await openClient(context);
  try {
    // Some servers let everybody connect, and refuse the first request.
    await client.listTools().catch(throwUnauthorized);
    const kept = await credentialStore(context.io).read(url);
    const { printer } = context;
    if (kept?.tokens === undefined) printer.print(line`${host} requires no login.`);
    else printer.print(line`Logged in to ${host}.`);
    return ExitCode.Ok;
  } finally {
    client.close();
    await client.closed;
  }
}

/** What else is wrong with the tools is no matter of the login. */
function throwUnauthorized(error: unknown): void {
  if (error instanceof IdewireError && error.code === "unauthorized") throw error;
}

/** Forgets what a login has given. */
export async function logOut(context: McpContext): Promise<number> {
  const { url, host } = addressOf(context);
  const { printer, io } = context;
  const store = credentialStore(io);
  await store.exclusively(url, async () => {
    const kept = await store.read(url);
    await store.write(url, undefined);
    const isKept = kept?.tokens !== undefined;
    printer.print(isKept ? line`Logged out of ${host}.` : line`You were not logged in to ${host}.`);
  });
  return ExitCode.Ok;
}

function addressOf({ run: { place } }: McpContext) {
  if ("url" in place) return { url: place.url, host: new URL(place.url).host };
  throw new IdewireError("invalid-argument", `Expected an address, got ${place.command}`);
}
