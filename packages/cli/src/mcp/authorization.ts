import { IdewireError } from "@idewire/core/rpc";
import type { Authorization } from "@idewire/http";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import {
  type CredentialStore,
  createDpop,
  createOAuth,
  type RedirectTarget,
} from "@idewire/http/oauth";
import { createCredentialFiles, loopbackRedirect } from "@idewire/node-server/internal";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import { canOpenBrowser, openInBrowser } from "../serve/browser/open-in-browser.ts";
import type { McpContext } from "./open-client.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";
import { fetchUntil, untilStopped } from "./until-stopped.ts";

/** The store for the credentials of logins. */
export function credentialStore({ env }: Pick<CliIo, "env">): CredentialStore {
  return createCredentialFiles({ env });
}

/** Authorizes the requests to a server; the person can log in if there is a terminal, and with `login` anywhere. */
export function createAuthorization(url: string, context: McpContext): Authorization {
  const { run, io, questions, stop, fetch } = context;
  const read = fetchUntil(stop.signal, fetch);
  return createOAuth({
    url,
    store: credentialStore(io),
    clientName: "idewire",
    dpop: createDpop(),
    // Wait for a refresh of the tokens: the previous ones may be used up.
    fetch: (address, init) => (init?.method === "POST" ? fetch : read)(address, init),
    ...((run.action === "login" || questions.canAsk) && {
      openRedirectTarget: openTarget(new URL(url).host, context),
    }),
  });
}

/** The loopback redirect, which ends with the command; no question is asked after it. */
function openTarget(host: string, context: McpContext): OpenRedirectTarget {
  const { stop } = context;
  return async (registered) => {
    const ended = new AbortController();
    const show = (address: string) =>
      showAddress(address, { ...context, host, signal: ended.signal });
    const target: RedirectTarget = await loopbackRedirect({ show })(registered);
    return {
      uri: target.uri,
      visit: (address) =>
        untilStopped(target.visit(address), stop.signal).finally(() => ended.abort()),
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
