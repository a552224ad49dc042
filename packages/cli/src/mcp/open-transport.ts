import { PassThrough, type Readable } from "node:stream";
import type { OpenTransport } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import { openProgram, type ProgramTransport } from "@idewire/node-server/internal";
import { realFolder } from "@idewire/node-server/internal/files";
import { workingFolder } from "../flags/agent-flags.ts";
import type { Target } from "../flags/target.ts";
import { passOn } from "../output/print.ts";
import { line } from "../output/printable.ts";
import { vaultOpener } from "../serve/vault-tools.ts";
import { createAuthorization } from "./authorization.ts";
import type { McpContext } from "./open-client.ts";
import { pausedFetch } from "./paused-fetch.ts";
import { warnIn } from "./warn-in.ts";

/** The context of a connection. */
export interface OpeningContext extends McpContext {
  /** Called with the stderr of each program that is started; passed on to ours when left out. */
  onstderr?(stderr: Readable): void;
  /** Called with the transport of each program that is started. */
  onprogram?(program: ProgramTransport): void;
  /** Whether reading the server's messages is to pause. */
  readonly isFull?: () => boolean;
}

/** How the server of the command line is connected to; its hidden tools are neither listed nor called. */
export async function openerFor(context: OpeningContext): Promise<OpenTransport> {
  const { target } = context.run;
  return "command" in target ? programOpener(target, context) : remoteOpener(target, context);
}

/**
 * How a server at an address, or that of a vault, is connected to.
 * @throws IdewireError `no-editor` if there is no such vault
 */
export async function remoteOpener(
  target: Exclude<Target, { readonly command: string }>,
  context: OpeningContext,
): Promise<() => Transport> {
  const { run, io, presence, isFull } = context;
  const { headers } = run;
  const filtered = await filterFor(context);
  if ("folder" in target) {
    const open = await vaultOpener(workingFolder(io, target.folder), io, isFull);
    return () => filtered(open());
  }
  const isGiven = Object.hasOwn(headers, "authorization");
  const authorization = isGiven ? undefined : createAuthorization(target.url, context);
  const options = {
    headers,
    ...(authorization && { authorization }),
    fetch: pausedFetch(presence?.fetch ?? context.fetch, isFull),
  };
  return () => filtered(createHttpTransport(target.url, options));
}

/** How a program is started. */
export async function programOpener(
  { command, args }: Extract<Target, { readonly command: string }>,
  context: OpeningContext,
): Promise<() => Promise<Transport>> {
  const { run, io } = context;
  const filtered = await filterFor(context);
  const cwd = await realFolder(workingFolder(io, run.cwd));
  let starts = 0;
  return async () => {
    starts += 1;
    if (starts > 1) reportRestart(command, context);
    const stderr = new PassThrough();
    if (context.onstderr === undefined) passOn(stderr, io);
    else context.onstderr(stderr);
    const onSignal = io.onSignal.bind(io);
    const isFull = () => context.isFull?.() === true;
    const options = { cwd, env: io.env, stderr, onSignal, isFull, framing: run.framing };
    const program = await openProgram(command, args, options);
    context.onprogram?.(program);
    return filtered(program);
  };
}

async function filterFor(context: OpeningContext): Promise<(transport: Transport) => Transport> {
  const { filter } = context.run;
  if (filter === undefined) return (transport) => transport;
  const { filterTools } = await import("./tool-filter.ts");
  return (transport) => filterTools(transport, filter, warnIn(context));
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
