import type { McpClient } from "@idewire/core/client";
import { IdewireError, type Params, RpcError } from "@idewire/core/rpc";
import type { Fetch } from "@idewire/http/internal";
import { exactJson } from "../output/exact-json.ts";
import { createPrinter } from "../output/print.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import { type Action, actions } from "./actions.ts";
import { advise } from "./advise.ts";
import { credentialStore } from "./authorization.ts";
import { connectHost } from "./connect.ts";
import { listen } from "./listen.ts";
import { endLogin, logIn } from "./log-in.ts";
import type { McpCall, McpEra } from "./mcp-call.ts";
import { Notifications } from "./notifications.ts";
import { type McpContext, openClient } from "./open-client.ts";
import { Presence } from "./presence.ts";
import { serverFetch } from "./server-fetch.ts";
import type { ServerOptions } from "./server-flags.ts";
import { TerminalQuestions } from "./terminal-questions.ts";

/** How long the action waits for `logging/setLevel`. */
const LOG_LEVEL_MS = 1_000;

/** The options of `idewire mcp`. */
export interface McpRun extends McpCall, ServerOptions {
  readonly args: Params;
  /** The resources to listen to. */
  readonly resources: readonly string[];
  readonly era: McpEra;
  /** How long the server may be silent; undefined for the default of each request. */
  readonly timeoutMs: number | undefined;
  readonly isJson: boolean;
}

/**
 * Runs the action; resolves to the exit code.
 * @param action in place of that of the command line
 */
export function runMcpCall(run: McpRun, io: CliIo, action?: Action): Promise<number> {
  return runWithServer(run, io, async (context) => {
    if (action !== undefined) return await useServer(context, action);
    if (run.action === "login") return await logIn(context);
    if (run.action === "logout") return await endLogin(context);
    if (run.action === "connect") return await connectHost(context);
    return await use(run.action, context);
  });
}

/** Runs with all that is needed to connect to the server, until a signal; resolves to the exit code. */
export function runWithServer(
  run: McpRun,
  io: CliIo,
  act: (context: McpContext) => Promise<number>,
): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const questions = new TerminalQuestions(io, () => stop.request(ExitCode.Interrupted));
    const printer = createPrinter(io);
    const store = credentialStore(run, io);
    const send = fetchFor(run, io);
    const context = { run, io, printer, questions, stop, store, fetch: send };
    try {
      return await act(context);
    } catch (error) {
      throw await advise(error, context);
    } finally {
      questions.close();
    }
  });
}

/** The `fetch` for a server, and for the addresses that it names. */
export function fetchFor({ target, tls }: McpRun, { env }: CliIo): Fetch {
  return "url" in target ? serverFetch(new URL(target.url), { fetch, env, tls }) : fetch;
}

function use(action: "listen" | keyof typeof actions, context: McpContext): Promise<number> {
  if (action !== "listen") return useServer(context, actions[action]);
  const notifications = new Notifications(context);
  const presence = new Presence(context);
  const onlistening = (client: McpClient) => {
    notifications.release();
    client.onReopen(() => presence.back());
    presence.watch();
  };
  return useServer(
    { ...context, presence },
    (connected) => listen(connected, () => onlistening(connected.client)),
    (method, params) => notifications.receive(method, params),
  );
}

/** @param onnotification called for each notification, for actions that show all of them */
async function useServer(
  context: McpContext,
  action: Action,
  onnotification?: (method: string, params: Params | undefined) => void,
): Promise<number> {
  const client = await openClient(context, onnotification);
  try {
    await showLog(client, context);
    return await action({ ...context, client });
  } finally {
    await client.close();
  }
}

async function showLog(client: McpClient, { printer, stop }: McpContext): Promise<void> {
  const { quoteError } = printer;
  client.onLogMessage(({ level, logger, data }) => {
    const words = typeof data === "string" ? data : exactJson.stringify(data);
    quoteError(`${level}: ${logger === undefined ? "" : `${logger}: `}${words}`);
  });
  if (!Object.hasOwn(client.server.capabilities, "logging")) return;
  try {
    await client.setLogLevel("info", { signal: stop.signal, timeoutMs: LOG_LEVEL_MS });
  } catch (error) {
    // Some servers declare logging without supporting it: the action works nevertheless.
    const isLate = error instanceof IdewireError && error.code === "timeout";
    if (!isLate && !(error instanceof RpcError)) throw error;
  }
}
