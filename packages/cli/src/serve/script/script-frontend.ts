import { CloseCode } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { perform } from "../../drive/carry-out.ts";
import { complain, createPrinter } from "../../output/print.ts";
import type { CliIo } from "../../process/io.ts";
import type { Frontend, FrontendContext } from "../frontend.ts";
import { boundWriter, SLOW_READER } from "./bounded-writer.ts";
import { DiffPolicy } from "./diff-policy.ts";
import { createEventWriter } from "./events.ts";
import { readCommands } from "./read-commands.ts";
import { scriptTarget } from "./run-command.ts";
import { writeAgentEvents } from "./watch.ts";

/** The frontend for programs: prints events as lines of JSON and, with `commands`, reads commands. */
export function createScriptFrontend(io: CliIo, options: { readonly commands: boolean }): Frontend {
  let closeForReconnect = () => {};
  const toStdout = createEventWriter(createPrinter(io).json);
  const events = boundWriter(io.stdout, toStdout, () => closeForReconnect());
  const { write } = events;
  let outputStop = false;
  return {
    async run(context: FrontendContext) {
      const { host, listener, notices, stop } = context;
      const target = scriptTarget(host, listener);
      const policy = new DiffPolicy(host, (command) => perform(command, target));
      // After the emitter of the event has returned.
      closeForReconnect = () => queueMicrotask(() => closeSessions(listener));
      listener.on("connected", () => events.isFull && closeForReconnect());
      writeAgentEvents(context, write);
      const warn = ({ message }: Error) => complain(io, `warning: ${message}`);
      listener.warnings.forEach(warn);
      notices.show((message) => warn(new Error(message)));
      listener.on("warning", warn);
      // The host's emitter must have returned.
      host.onDiff("diffOpened", ({ request }) => queueMicrotask(() => policy.apply(request)));
      if (options.commands) {
        void readCommands(io.stdin, { target, listener, policy, stopped: stop.signal }, write).then(
          (end) => {
            outputStop = end === "stop";
            stop.request(0);
          },
        );
      }
      await stop.requested;
    },
    closed() {
      if (outputStop) write("done", { do: "stop" });
    },
    failed: (message) => write("error", { message }),
  };
}

/** Agents that are refused try again later. */
function closeSessions({ sessions }: IdeListener): void {
  for (const session of sessions) session.close(CloseCode.TryAgainLater, SLOW_READER);
}
