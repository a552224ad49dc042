import { LOW_WATER_BYTES } from "@idewire/core/internal/base";
import type { CloseReason, Transport } from "@idewire/core/rpc";
import { describeEnd } from "@idewire/node-server/internal";
import { openStdio } from "../output/print.ts";
import { line, visible } from "../output/printable.ts";
import { ExitCode } from "../process/exit-status.ts";
import { advise } from "./advise.ts";
import type { McpContext } from "./open-client.ts";
import { programOpener, remoteOpener } from "./open-transport.ts";
import { serveRelay } from "./serve-relay.ts";

/** Serves the server of the command line on stdin and stdout, until its client disconnects. */
export function connectHost(context: McpContext): Promise<number> {
  const { target } = context.run;
  return "command" in target
    ? connectProgram(target.command, context)
    : connectRemote(target, context);
}

type Remote = Exclude<McpContext["run"]["target"], { readonly command: string }>;

function connectRemote(target: Remote, context: McpContext): Promise<number> {
  const { printer } = context;
  const explain = async (error: Error) => {
    const advised = await advise(error, context);
    const words = visible(advised instanceof Error ? advised.message : error.message);
    printer.fail(line`${words}`);
    return words;
  };
  const open = (isFull: () => boolean) => remoteOpener(target, { ...context, isFull });
  return serveRelay(context, { open, explain });
}

/** A program has one stream in each direction, as its client has. */
async function connectProgram(command: string, context: McpContext): Promise<number> {
  const { run, io, stop, printer } = context;
  if (!("command" in run.target)) return ExitCode.Failed;
  const isFull = () => client.bufferedAmount > LOW_WATER_BYTES;
  const program = await (await programOpener(run.target, { ...context, isFull }))();
  // Its frames are read from now on.
  const client = openStdio(io);
  forward(client, program);
  forward(program, client);
  client.onclose = () => stop.request(ExitCode.Ok);
  const ended = new Promise<void>((resolve) => {
    program.onclose = ({ reason }: CloseReason) => {
      if (!stop.signal.aborted) printer.fail(line`${describeEnd(command, reason)}`);
      stop.request(ExitCode.Failed);
      resolve();
    };
  });
  const code = await stop.requested;
  program.close();
  await ended;
  client.close();
  return code;
}

function forward(from: Transport, to: Transport): void {
  from.onframe = (frame) => to.send(frame);
}
