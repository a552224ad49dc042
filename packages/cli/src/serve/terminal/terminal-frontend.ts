import { type PosixPath, toNativePath, type Unsubscribe } from "@idewire/core";
import { relativeTo } from "@idewire/core/internal";
import { describeUnreviewed, platform } from "@idewire/node-server/internal";
import { type CommandTarget, carryOut } from "../../drive/carry-out.ts";
import { createPalette, type Palette, wantsColour } from "../../output/palette.ts";
import { line, type Printable } from "../../output/printable.ts";
import { RateLimiter } from "../../output/rate-limiter.ts";
import { layOut } from "../../output/wrap.ts";
import type { CliIo } from "../../process/io.ts";
import type { Frontend, FrontendContext } from "../frontend.ts";
import { readNativePath } from "../script/native-path.ts";
import { Activity } from "./activity.ts";
import { type TerminalCommandContext, terminalCommands } from "./prompt/commands.ts";
import { complete } from "./prompt/completion.ts";
import { showInPager } from "./prompt/pager.ts";
import {
  createPlainPrompt,
  isInteractive,
  type LineSource,
  TerminalPrompt,
} from "./prompt/prompt.ts";
import { runTyped } from "./prompt/run-typed.ts";
import { TerminalScreen } from "./prompt/screen.ts";
import { DiffPrompt } from "./review/diff-prompt.ts";
import { type EditedText, editText } from "./review/edit-text.ts";
import { HunkPrompt } from "./review/hunk-prompt.ts";
import { startupMessage } from "./startup-message.ts";

/** The frontend for people: prints events line by line, with a prompt if there is a terminal. */
export function createTerminalFrontend(io: CliIo): Frontend {
  const screen = new TerminalScreen(io.stdout);
  return {
    run: (context) => runTerminal(context, io, screen),
    closed: () => screen.print(line`Stopped; the lock file has been removed.`),
    failed() {},
  };
}

async function runTerminal(
  context: FrontendContext,
  io: CliIo,
  screen: TerminalScreen,
): Promise<void> {
  const { host, listener, stop } = context;
  const palette = createPalette(wantsColour(io));
  screen.print(...startupMessage(context, io, palette));
  const limiter = new RateLimiter((text) => screen.print(text));
  const unwatch = watchAgents(context, new Activity(palette, limiter), screen, palette.warning);
  const typedSoFar = (typed: string): [string[], string] =>
    complete(typed, terminalCommands, toNativePath(host.folder, platform), terminal.diffs.numbers);
  const prompt: LineSource = isInteractive(io)
    ? new TerminalPrompt({
        io,
        screen,
        completer: typedSoFar,
        onInterrupt: () => stop.request(130),
        onDiscard: () => diffs.lineDone(),
        question: () => review.question,
      })
    : createPlainPrompt(io);
  const place: EditingPlace = { io, screen, prompt, context };
  const edit = (text: string, name: string) => editOnTerminal(text, name, place);
  const commands = runCommandsIn(context);
  const editing = { host, screen, act: commands.act, edit };
  const review = new HunkPrompt({ ...editing, palette });
  const diffs = new DiffPrompt({
    ...editing,
    listener,
    palette,
    isTyping: () => prompt.isTyping,
    page: (lines) => pageOnTerminal(lines, place),
  });
  const shown = { screen, palette, diffs, review };
  const terminal: TerminalCommandContext = { ...context, ...commands, ...shown };
  void runTyped(prompt, terminal);
  await stop.requested;
  // Disconnections from now on are expected and not reported.
  unwatch();
  diffs.close();
  prompt.close();
  limiter.close();
}

/** How the person's commands are run. */
function runCommandsIn({
  host,
  listener,
}: FrontendContext): Pick<TerminalCommandContext, "act" | "locate"> {
  const locate = (path: string) => readNativePath(host.folder, path);
  const target: CommandTarget = { editor: host, agents: listener, by: "terminal", locate };
  return { locate, act: (command) => carryOut(command, target) };
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
    listener.on("initialized", (session) => activity.came(session)),
    listener.on("call", (session, call) => activity.asked(session, call)),
    listener.on("disconnected", (session) => activity.left(session)),
    listener.on("unreviewed", (session, writes) => {
      const nameOf = (path: PosixPath) => relativeTo(host.folder, path);
      warn(new Error(describeUnreviewed(session, writes, nameOf)));
    }),
  ];
  return () => {
    for (const stop of undo) stop();
  };
}

interface EditingPlace {
  readonly io: CliIo;
  readonly screen: TerminalScreen;
  readonly prompt: LineSource;
  readonly context: FrontendContext;
}

function editOnTerminal(text: string, name: string, place: EditingPlace): Promise<EditedText> {
  const { io, context } = place;
  const { signal } = context.stop;
  return runInForeground(place, () =>
    editText(text, { env: io.env, name, onTerminal: isInteractive(io), signal }),
  );
}

async function pageOnTerminal(lines: Iterable<Printable>, place: EditingPlace): Promise<boolean> {
  const { io, context } = place;
  // As in git, a pager is used only in a terminal.
  if (!isInteractive(io)) return false;
  return runInForeground(place, () =>
    showInPager(layOutAll(lines, io.stdout), { env: io.env, signal: context.stop.signal }),
  );
}

function* layOutAll(lines: Iterable<Printable>, output: CliIo["stdout"]): Iterable<string> {
  for (const each of lines) yield layOut(each, output);
}

/** While another program runs, it owns the terminal, and Ctrl-C is meant for it. */
async function runInForeground<T>(place: EditingPlace, run: () => Promise<T>): Promise<T> {
  const { screen, prompt, context } = place;
  const { stop } = context;
  screen.hold();
  prompt.suspend();
  stop.ignoreInterrupt = true;
  try {
    return await run();
  } finally {
    stop.ignoreInterrupt = false;
    if (!stop.signal.aborted) prompt.resume();
    screen.release();
  }
}
