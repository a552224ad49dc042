import { PassThrough } from "node:stream";
import { McpClient, type McpClientOptions, resultCache, tasks } from "@idewire/core/client";
import type { OpenTransport } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import type { Fetch } from "@idewire/http/internal";
import { openProgram, type ProgramTransport } from "@idewire/node-server/internal";
import { realFolder } from "@idewire/node-server/internal/files";
import { workingFolder } from "../flags/agent-flags.ts";
import { exactJson } from "../output/exact-json.ts";
import { type Printer, passOn } from "../output/print.ts";
import { line, shorten } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import type { Stop } from "../process/stop.ts";
import { readVersion } from "../process/version.ts";
import { findVault } from "../serve/vault-tools.ts";
import { terminalElicitation } from "./answer-server.ts";
import { createAuthorization } from "./authorization.ts";
import type { Presence } from "./presence.ts";
import type { McpRun } from "./run-mcp-call.ts";
import { watchSilence } from "./silent-program.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";

const PROBE_TIMEOUT_MS = 5_000;

/** The context of every action. */
export interface McpContext {
  readonly run: McpRun;
  readonly io: CliIo;
  readonly printer: Printer;
  readonly questions: TerminalQuestions;
  readonly stop: Stop;
  /** Sends all requests to the server, and to the addresses that it names. */
  readonly fetch: Fetch;
  /** For the server of `listen`. */
  readonly presence?: Presence;
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

interface Connecting extends McpContext {
  readonly onnotification: ((method: string, params: Params | undefined) => void) | undefined;
  readonly signal: AbortSignal;
  /** Called with the transport of each program that is started. */
  onprogram?(program: ProgramTransport): void;
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

/** Reports a fault of the server that leaves the rest of its answer usable. */
export function warnIn({ printer }: McpContext): (words: string) => void {
  return (words) => printer.fail(line`${printer.palette.warning("warning:")} ${words}`);
}

async function openerFor(context: Connecting): Promise<OpenTransport> {
  const { run, io, presence } = context;
  const { target, headers } = run;
  if ("folder" in target) {
    const { url, token } = await findVault(workingFolder(io, target.folder), io);
    const vault = { headers: { authorization: `Bearer ${token}` } };
    return () => createHttpTransport(url, vault);
  }
  if ("url" in target) {
    const isGiven = Object.hasOwn(headers, "authorization");
    const authorization = isGiven ? undefined : createAuthorization(target.url, context);
    const options = {
      headers,
      ...(authorization && { authorization }),
      fetch: presence?.fetch ?? context.fetch,
    };
    return () => createHttpTransport(target.url, options);
  }
  const cwd = await realFolder(workingFolder(io, run.cwd));
  let starts = 0;
  return async () => {
    starts += 1;
    if (starts > 1) reportRestart(target.command, context);
    const stderr = new PassThrough();
    passOn(stderr, io);
    const onSignal = io.onSignal.bind(io);
    const options = { cwd, env: io.env, stderr, onSignal, framing: run.framing };
    const program = await openProgram(target.command, target.args, options);
    context.onprogram?.(program);
    return program;
  };
}

/** Called when the previous program has exited. */
function reportRestart(command: string, { run, printer, presence }: McpContext): void {
  if (run.action === "listen") {
    presence?.gone();
    return;
  }
  const name = JSON.stringify(command);
  printer.fail(line`${name} exited when it was asked for MCP 2026-07-28; starting it again.`);
  printer.fail(line`--era legacy skips that request.`);
}
