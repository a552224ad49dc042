import { type PosixPath, toNativePath } from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import { describeUnreviewed, platform } from "@idewire/node-server/internal";
import { complain, createPrinter } from "../../output/print.ts";
import { line } from "../../output/printable.ts";
import type { CliIo } from "../../process/io.ts";
import type { Frontend, FrontendContext } from "../frontend.ts";
import type { TargetEditor } from "./agents.ts";

export interface AgentFrontendOptions {
  /** The person's terminal, which the agent uses while it runs. */
  readonly io: CliIo;
  /** Logs warnings while the agent uses the terminal. */
  readonly log: Pick<CliIo, "stderr">;
  /** Runs the agent until it exits; resolves to its exit code. */
  readonly runAgent: (editor: TargetEditor) => Promise<number>;
}

/** The frontend that is an agent in this terminal: the folder is reviewed in the page, or from another terminal. */
export function createAgentFrontend({ io, log, runAgent }: AgentFrontendOptions): Frontend {
  return {
    async run(context) {
      const unwatch = watchWarnings(context, log);
      introduce(context, io);
      const { endpoints } = context.listener;
      const [first] = endpoints;
      const claude = endpoints.find(({ dialect }) => dialect === "claude-code") ?? first;
      const port = claude?.port ?? 0;
      const code = await runAgent({ port, pid: process.pid });
      unwatch();
      context.stop.request(code);
    },
    closed() {},
    failed: (message) => complain(io, message),
  };
}

/** The notices for the person before the agent uses the terminal. */
function introduce({ host, page }: FrontendContext, io: CliIo): void {
  const { print, palette } = createPrinter(io);
  const folder = toNativePath(host.folder, platform);
  print(line`${palette.bold("idewire")} ${host.version} is the editor of ${palette.bold(folder)}`);
  if (page === undefined) {
    print(line`  Review changes in another terminal there: idewire diffs, idewire review <number>`);
  } else {
    print(line`  page  ${page.createLink()} (valid once, for a minute)`);
  }
}

/** Warnings go to the page and the log, since the agent uses the terminal. */
function watchWarnings(
  { host, listener, notices, page }: FrontendContext,
  log: Pick<CliIo, "stderr">,
): () => void {
  const warn = (words: string) => complain(log, `warning: ${words}`);
  const show = (words: string) => {
    warn(words);
    page?.notice(words);
  };
  for (const { message } of listener.warnings) show(message);
  notices.show(show);
  const undo = [
    listener.on("warning", ({ message }) => show(message)),
    // The page watches these itself.
    listener.on("unreviewed", (session, writes) => {
      const nameOf = (path: PosixPath) => relativeTo(host.folder, path);
      warn(describeUnreviewed(session, writes, nameOf));
    }),
  ];
  return () => {
    for (const each of undo) each();
  };
}
