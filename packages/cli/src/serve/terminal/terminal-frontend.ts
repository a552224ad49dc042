import type { PosixPath, Unsubscribe } from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import { describeUnreviewed } from "@idewire/node-server/internal";
import { commentSender } from "../../comments/comment-sender.ts";
import { type CommandTarget, carryMention } from "../../drive/carry-out.ts";
import { createPalette, type Palette, wantsColour } from "../../output/palette.ts";
import { line } from "../../output/printable.ts";
import { RateLimiter } from "../../output/rate-limiter.ts";
import type { CliIo } from "../../process/io.ts";
import type { Frontend, FrontendContext } from "../frontend.ts";
import { readNativePath } from "../script/native-path.ts";
import { Activity, agentOf } from "./activity.ts";
import { announceDiffs } from "./announce-diffs.ts";
import { type TerminalCommandContext, terminalCommands } from "./prompt/commands.ts";
import { isInteractive } from "./prompt/prompt.ts";
import { runTyped } from "./prompt/run-typed.ts";
import { TerminalScreen } from "./prompt/screen.ts";
import { editsOf } from "./review/edit-prompt.ts";
import { openReviewTerminal } from "./review-terminal.ts";
import { startupMessage } from "./startup-message.ts";

export interface TerminalOptions {
  /** Whether a diff neither rings the bell nor changes the title of the terminal. */
  readonly quiet: boolean;
  /** Whether the start-up message lists where each family of agents connects. */
  readonly verbose: boolean;
}

/**
 * The frontend for people: prints events line by line, with a prompt if there is a terminal.
 */
export function createTerminalFrontend(io: CliIo, options: TerminalOptions): Frontend {
  const { quiet } = options;
  const screen = new TerminalScreen(io.stdout);
  return {
    async run(context) {
      const stop = quiet || !isInteractive(io) ? () => {} : announceDiffs(context.host, screen);
      await runTerminal(context, { io, verbose: options.verbose }, screen);
      stop();
    },
    closed: () => screen.print(line`Stopped; the lock file has been removed.`),
    failed() {},
  };
}

async function runTerminal(
  context: FrontendContext,
  { io, verbose }: Pick<TerminalOptions, "verbose"> & { readonly io: CliIo },
  screen: TerminalScreen,
): Promise<void> {
  const { host, listener, stop } = context;
  const palette = createPalette(wantsColour(io));
  screen.print(...startupMessage(context, { io, palette, verbose }));
  const limiter = new RateLimiter((text) => screen.print(text));
  const unwatch = watchAgents(context, new Activity(palette, limiter), screen, palette.warning);
  const commands = runCommandsIn(context);
  const opened = openReviewTerminal({
    ...{ io, screen, palette, stop, host },
    queue: context.diffs,
    agentOf: (session) => agentOf(listener, session),
    async act(command) {
      await commands.act(command);
    },
    edits: editsOf(host.changes),
    comment: commentSender({ host, agents: () => listener, env: io.env }),
    commands: terminalCommands,
  });
  const { prompt, diffs, review, edits } = opened;
  const terminal: TerminalCommandContext = {
    ...{ ...context, ...commands },
    ...{ screen, palette, diffs, review, edits },
  };
  void runTyped(prompt, terminal, terminalCommands);
  await stop.requested;
  // Disconnections from now on are expected and not reported.
  unwatch();
  opened.close();
  limiter.close();
}

/** How the person's commands are run. */
function runCommandsIn({
  host,
  listener,
}: FrontendContext): Pick<TerminalCommandContext, "act" | "locate"> {
  const locate = (path: string) => readNativePath(host.folder, path);
  const target: CommandTarget = { editor: host, agents: listener, by: "terminal", locate };
  return {
    locate,
    act: (command) => carryMention(command, target),
  };
}

function watchAgents(
  { host, listener, notices }: FrontendContext,
  activity: Activity,
  screen: TerminalScreen,
  paint: Palette["warning"],
): Unsubscribe {
  const warn = ({ message }: Error) => screen.print(line`${paint("Warning:")} ${message}`);
  listener.warnings.forEach(warn);
  notices.show((message) => warn(new Error(message)));
  const undo = [
    listener.on("warning", warn),
    listener.on("initialized", (session) => activity.came(session, listener.sessions)),
    listener.on("call", (session, call) => activity.asked(session, call)),
    listener.on("disconnected", (session) => activity.left(session)),
    listener.on("unreviewed", (session, writes) => {
      const nameOf = (path: PosixPath) => relativeTo(host.folder, path);
      warn(new Error(describeUnreviewed(session, writes, nameOf)));
      const [edit] = host.changes.list.all.filter(({ state }) => state === "unreviewed");
      if (edit !== undefined)
        screen.print(line`Type review ${edit.id} to keep or undo it hunk by hunk, diffs for all.`);
    }),
  ];
  return () => {
    for (const stop of undo) stop();
  };
}
