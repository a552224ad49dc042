import { McpClient, type McpClientOptions, resultCache, tasks } from "@idewire/core/client";
import type { Params } from "@idewire/core/rpc";
import type { Fetch, LoginEnd } from "@idewire/http/internal";
import type { CredentialStore } from "@idewire/http/oauth";
import type { ProgramTransport } from "@idewire/node-server/internal";
import { exactJson } from "../output/exact-json.ts";
import type { Printer } from "../output/print.ts";
import { line, shorten } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import type { Stop } from "../process/stop.ts";
import { readVersion } from "../process/version.ts";
import { terminalElicitation } from "./answer-server.ts";
import { type OpeningContext, openerFor } from "./open-transport.ts";
import type { Presence } from "./presence.ts";
import type { McpRun } from "./run-mcp-call.ts";
import { watchSilence } from "./silent-program.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";
import { warnIn } from "./warn-in.ts";

const PROBE_TIMEOUT_MS = 5_000;

/** The context of every action. */
export interface McpContext {
  readonly run: McpRun;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly questions: TerminalQuestions;
  readonly stop: Stop;
  /** Of the logins. */
  readonly store: CredentialStore;
  /** Sends all requests to the server, and to the addresses that it names. */
  readonly fetch: Fetch;
  /** Called with the address of a login when the person is sent there. @returns a function to call at its end */
  readonly onlogin?: (address: string) => (end: LoginEnd) => void;
  /** For the server of `listen`. */
  readonly presence?: Presence;
}

/** The context of an action at a server. */
export interface ConnectedContext extends McpContext {
  readonly client: McpClient;
}

/**
 * Connects to the server of the command line. The caller closes the client.
 * @param onnotification called for each notification, for actions that show all of them
 */
export async function openClient(
  context: McpContext,
  onnotification?: (method: string, params: Params | undefined) => void,
): Promise<McpClient> {
  const { stop, run } = context;
  const other = new AbortController();
  const silence = watchSilence(context, () => other.abort());
  const signal = AbortSignal.any([stop.signal, other.signal]);
  const onprogram = (program: ProgramTransport) => silence.watch(program);
  try {
    return await connect({ ...context, onnotification, signal, onprogram });
  } catch (error) {
    if (!other.signal.aborted || stop.signal.aborted) throw error;
    const framed = { ...run, framing: "content-length" } as const;
    return await connect({ ...context, run: framed, onnotification, signal: stop.signal });
  } finally {
    silence.end();
  }
}

interface Connecting extends OpeningContext {
  readonly onnotification: ((method: string, params: Params | undefined) => void) | undefined;
  readonly signal: AbortSignal;
}

async function connect(context: Connecting): Promise<McpClient> {
  const { io, printer, questions, run, signal, onnotification } = context;
  let client: McpClient | undefined;
  const ontask = (id: string) => {
    const words = line`The call has become the task ${shorten(client?.redact(id) ?? id, 200)}`;
    printer.fail(printer.palette.dim(words));
  };
  const connecting = McpClient.connect(await openerFor(context), {
    name: "idewire",
    version: readVersion(),
    era: run.era,
    features: [terminalElicitation(questions, io), tasks({ ontask }), resultCache()],
    // A program that exits while in use is restarted only for `listen`.
    reopen: !("command" in run.target) || run.action === "listen",
    signal,
    ...limitsOf(run),
    onwarning: warnIn(context),
    peer: { json: exactJson },
    ...(onnotification && { onnotification }),
  });
  void connecting.then((connected) => {
    client = connected;
  }, ignore);
  return connecting;
}

function ignore(): void {}

/** Silence does not answer the question about the modern era either. */
function limitsOf({ timeoutMs }: McpRun): Pick<McpClientOptions, "timeoutMs" | "probeTimeoutMs"> {
  if (timeoutMs === undefined) return {};
  return { timeoutMs, probeTimeoutMs: Math.min(timeoutMs, PROBE_TIMEOUT_MS) };
}
