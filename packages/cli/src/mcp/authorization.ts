import { IdewireError } from "@idewire/core/rpc";
import type { Authorization } from "@idewire/http";
import type { ClientCredentials, DeviceCode, OpenRedirectTarget } from "@idewire/http/internal";
import {
  type CredentialStore,
  createDpop,
  createMemoryStore,
  createOAuth,
  type OAuthOptions,
  type RedirectTarget,
} from "@idewire/http/oauth";
import { createCredentialFiles, loopbackRedirect } from "@idewire/node-server/internal";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import { canOpenBrowser, openInBrowser } from "../serve/browser/open-in-browser.ts";
import type { McpContext } from "./open-client.ts";
import type { McpRun } from "./run-mcp-call.ts";
import type { LoginOptions } from "./server-flags.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";
import { fetchUntil, untilStopped } from "./until-stopped.ts";

/** The store for the credentials of logins; a program that is authorized itself leaves nothing behind. */
export function credentialStore({ login }: McpRun, { env }: Pick<CliIo, "env">): CredentialStore {
  if (login.isUnattended) return createMemoryStore();
  return createCredentialFiles({ env, profile: login.profile });
}

/** The client that the person has named. */
export function clientsOf({
  login: { client, issuer = "*" },
}: McpRun): Readonly<Record<string, ClientCredentials>> {
  return client === undefined ? {} : { [issuer]: client };
}

/** Authorizes the requests to a server; the person can log in if there is a terminal, and with `login` anywhere. */
export function createAuthorization(url: string, context: McpContext): Authorization {
  const { run, questions, stop, store, fetch } = context;
  const { login } = run;
  // The input of `connect` belongs to its client.
  const canAsk = run.action === "login" || (questions.canAsk && run.action !== "connect");
  const read = fetchUntil(stop.signal, fetch);
  return createOAuth({
    url,
    store,
    clients: clientsOf(run),
    ...machineOf(login),
    ...(login.issuer !== undefined && { issuer: login.issuer }),
    ...(login.scope !== undefined && { scope: login.scope }),
    ...(login.clientMetadataUrl !== undefined && { clientMetadataUrl: login.clientMetadataUrl }),
    clientName: "idewire",
    dpop: createDpop(),
    // Wait for a refresh of the tokens: the previous ones may be used up.
    fetch: (address, init) => (init?.method === "POST" ? fetch : read)(address, init),
    ...(canAsk && personOf(new URL(url).host, context)),
  });
}

/** How the person logs in. */
function personOf(
  host: string,
  context: McpContext,
): Pick<OAuthOptions, "deviceLogin" | "openRedirectTarget"> {
  const { run, stop, printer } = context;
  if (!run.login.byDevice) return { openRedirectTarget: openTarget(host, context) };
  const show = ({ userCode, verificationUri, verificationUriComplete }: DeviceCode) => {
    printer.fail(line`To log in to ${host}, visit ${verificationUri} on any device,`);
    printer.fail(line`and enter the code ${userCode}`);
    if (verificationUriComplete === undefined) return;
    printer.fail(line`The address with the code in it: ${verificationUriComplete}`);
  };
  return { deviceLogin: { show, signal: stop.signal } };
}

/** The credentials of the program itself. */
function machineOf({
  isUnattended,
  client,
  issuer,
}: LoginOptions): Pick<OAuthOptions, "clientCredentials"> {
  if (!isUnattended || client === undefined || issuer === undefined) return {};
  return { clientCredentials: { issuer, ...client } };
}

/** The loopback redirect, which ends with the command; no question is asked after it. */
function openTarget(host: string, context: McpContext): OpenRedirectTarget {
  const { stop, run } = context;
  const { callbackPort: port } = run.login;
  return async (registered) => {
    const ended = new AbortController();
    const show = (address: string) =>
      showAddress(address, { ...context, host, signal: ended.signal });
    const target: RedirectTarget = await loopbackRedirect({ show, port })(registered);
    return {
      uri: target.uri,
      visit: (address) => {
        const visited = untilStopped(target.visit(address), stop.signal);
        const onend = context.onlogin?.(address);
        visited.then(
          (redirect) => onend?.({ redirect }),
          (error: unknown) => onend?.({ problem: String((error as Error).message) }),
        );
        return visited.finally(() => ended.abort());
      },
      close: (failure) => target.close(failure),
    };
  };
}

/** The address of the login. */
interface Visit extends McpContext {
  /** The server that requires the login. */
  readonly host: string;
  /** Aborts when the question is obsolete. */
  readonly signal: AbortSignal;
}

/** @returns the pasted address, if the browser is on another machine */
async function showAddress(
  address: string,
  { host, signal, io, questions }: Visit,
): Promise<string | undefined> {
  const { fail } = questions.printer;
  fail(line`To log in to ${host}, visit ${address}`);
  openInBrowser({ env: io.env, createLink: () => address, warn: (words) => fail(line`${words}`) });
  if (!questions.canAsk || canOpenBrowser(io.env)) return undefined;
  fail(
    line`If the browser is on another machine, copy the address that it ends at, and paste it here.`,
  );
  return questions.inTurn(() => askRedirect(address, signal, questions));
}

/**
 * Asks until the answer is the address at which this login ended; undefined when it is no longer needed.
 * @throws IdewireError `cancelled` when the person cancels
 */
async function askRedirect(
  address: string,
  signal: AbortSignal,
  questions: TerminalQuestions,
): Promise<string | undefined> {
  const { searchParams } = new URL(address);
  const state = searchParams.get("state");
  for (;;) {
    const text = await questions.ask(line`Address: `, signal);
    if (signal.aborted) return undefined;
    if (text === undefined) throw new IdewireError("cancelled", "The login was cancelled");
    const pasted = text.trim();
    if (URL.canParse(pasted) && new URL(pasted).searchParams.get("state") === state) return pasted;
    const start = searchParams.get("redirect_uri") ?? "";
    questions.printer.fail(
      line`Not the address of this login: expected one that starts with ${start}`,
    );
  }
}
