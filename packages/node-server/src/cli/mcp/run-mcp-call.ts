import { type McpClient, onLogMessage, type Params, RpcError, setLogLevel } from "@idewire/core";
import { createPrinter, type Printer } from "../output/print.ts";
import { line, shorten } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import type { CliIo } from "../process/io.ts";
import { runUntilStopped } from "../process/run-until-stopped.ts";
import { actions } from "./actions.ts";
import { advise } from "./advise.ts";
import { endLogin, logIn } from "./log-in.ts";
import type { McpCall, McpEra } from "./mcp-call.ts";
import { type McpContext, openClient } from "./open-client.ts";
import { TerminalQuestions } from "./terminal-questions.ts";

/** What `idewire mcp` was told to do, with all that it needs. */
export interface McpRun extends McpCall {
  readonly args: Params;
  readonly headers: Readonly<Record<string, string>>;
  /** The resources to listen to. */
  readonly resources: readonly string[];
  readonly cwd: string;
  readonly era: McpEra;
  readonly isJson: boolean;
}

/** Does it, and resolves to the exit code. */
export function runMcpCall(run: McpRun, io: CliIo): Promise<number> {
  return runUntilStopped(io, async (stop) => {
    const questions = new TerminalQuestions(io, () => stop.request(ExitCode.Interrupted));
    const context = { run, io, printer: createPrinter(io), questions, stop };
    try {
      if (run.action === "login") return await logIn(context);
      if (run.action === "logout") return await endLogin(context);
      return await use(run.action, context);
    } catch (error) {
      throw advise(error, run);
    } finally {
      questions.close();
    }
  });
}

async function use(action: keyof typeof actions, context: McpContext): Promise<number> {
  const { run, printer } = context;
  // Scripts wait for the line that says that it listens.
  let early: Notification[] | undefined = [];
  const onnotification = (method: string, params: Params | undefined) => {
    const notification = { method, params };
    if (early === undefined) showNotification(notification, run, printer);
    else early.push(notification);
  };
  const onlistening = () => {
    for (const each of early ?? []) showNotification(each, run, printer);
    early = undefined;
  };
  const client = await openClient(context, action === "listen" ? onnotification : undefined);
  try {
    await showLog(client, context);
    return await actions[action]({ ...context, client, onlistening });
  } finally {
    client.close();
    await client.closed;
  }
}

async function showLog(client: McpClient, { printer, stop }: McpContext): Promise<void> {
  const { fail } = printer;
  onLogMessage(client, ({ level, logger, data }) => {
    const words = typeof data === "string" ? data : JSON.stringify(data);
    fail(line`${level}: ${logger === undefined ? "" : `${logger}: `}${words}`);
  });
  if (!Object.hasOwn(client.server.capabilities, "logging")) return;
  try {
    await setLogLevel(client, "info", { signal: stop.signal });
  } catch (error) {
    // Some servers announce it and have it not: what was asked for works all the same.
    if (!(error instanceof RpcError)) throw error;
  }
}

interface Notification {
  readonly method: string;
  readonly params: Params | undefined;
}

function showNotification(
  { method, params }: Notification,
  { isJson }: McpRun,
  { json, print }: Printer,
): void {
  // Log messages go to stderr.
  if (method === "notifications/message") return;
  if (isJson) json({ event: "notification", method, params });
  else print(line`${method} ${shorten(JSON.stringify(params ?? {}), 200)}`);
}
