import type { EditorCommand, PosixPath, ShareLevel } from "@idewire/core";
import {
  type Change,
  describeUnable,
  locateCommand,
  type MentionDelivery,
  relativeTo,
  shareLevels,
} from "@idewire/core/internal";
import type { Palette } from "../../../output/palette.ts";
import { line, type Printable } from "../../../output/printable.ts";
import type { Stop } from "../../../process/stop.ts";
import type { FrontendContext } from "../../frontend.ts";
import { nameOf } from "../activity.ts";
import type { DiffPrompt } from "../review/diff-prompt.ts";
import type { EditPrompt } from "../review/edit-prompt.ts";
import type { HunkPrompt } from "../review/hunk-prompt.ts";
import { describeShare } from "../share-words.ts";
import type { Completable } from "./completion.ts";
import { toRange } from "./place.ts";
import type { TerminalScreen } from "./screen.ts";
import { readWords, type TypedVerb } from "./words.ts";

/** The target of the commands in a review. */
export interface ReviewContext {
  readonly screen: TerminalScreen;
  readonly palette: Palette;
  readonly diffs: DiffPrompt;
  readonly review: HunkPrompt;
  readonly edits: EditPrompt;
  readonly stop: Stop;
}

/** The target of the commands. */
export interface TerminalCommandContext extends Omit<FrontendContext, "diffs">, ReviewContext {
  /** Runs a command of the person. */
  readonly act: (command: EditorCommand<string>) => Promise<MentionDelivery | undefined>;
  /** Resolves a path as the person types it. */
  readonly locate: (path: string) => PosixPath;
}

export interface TerminalCommand<Context = TerminalCommandContext> extends Completable {
  readonly usage: string;
  readonly help: string;
  /** @throws Error with a message for the person */
  run(argument: string, terminal: Context): void | Promise<void>;
}

/** The commands for a diff. */
const answers: readonly TerminalCommand<ReviewContext>[] = [
  {
    name: "show",
    usage: "show [n]",
    help: "show a diff again; type more to continue a long one",
    argument: "change",
    run: (number, { diffs }) => diffs.show(number),
  },
  {
    name: "more",
    usage: "more [n]",
    help: "show the next page of it",
    argument: "change",
    run(number, { diffs, review }) {
      if (number !== "" || !review.showMore()) diffs.showMore(number);
    },
  },
  {
    name: "view",
    usage: "view [n]",
    help: "show all of it in your $PAGER",
    argument: "change",
    run: (number, { diffs }) => diffs.view(number),
  },
  {
    name: "review",
    usage: "review [n]",
    help: "go through it hunk by hunk; e1 is an edit that came without a review",
    argument: "change",
    run: (number, { diffs, review, edits }) =>
      /^e\d+$/.test(number) ? edits.start(number) : review.start(diffs.toReview(number)),
  },
  {
    name: "accept",
    usage: "accept [n]",
    help: "let the agent write it",
    argument: "change",
    run: (number, terminal) => diffsToAnswer(number, terminal).answer(number, "accepted"),
  },
  {
    name: "edit",
    usage: "edit [n]",
    help: "edit it in your $EDITOR, then accept the result",
    argument: "change",
    run: (number, terminal) => diffsToAnswer(number, terminal).edit(number),
  },
  {
    name: "reject",
    usage: "reject [n]",
    help: "reject it; the agent does not write it",
    argument: "change",
    run: (number, terminal) => diffsToAnswer(number, terminal).answer(number, "rejected"),
  },
];

/** The commands in the review of one diff. */
export const reviewCommands: readonly TerminalCommand<ReviewContext>[] = [
  ...answers,
  helpCommand(() => reviewCommands),
  {
    name: "quit",
    usage: "quit",
    help: "leave it unanswered; so do Ctrl-C and Ctrl-D",
    run: (_, { stop }) => stop.request(1),
  },
];

/** The commands in the review of one edit that came without a review; its answers are those of its prompt. */
export const editCommands: readonly TerminalCommand<ReviewContext>[] = [
  {
    name: "quit",
    usage: "quit",
    help: "leave what is left undecided; so do Ctrl-C and Ctrl-D",
    run: (_, { stop }) => stop.request(1),
  },
];

/** The commands, in the order of the help. */
export const terminalCommands: readonly TerminalCommand[] = [
  {
    name: "open",
    usage: "open <file>",
    help: "make it the active file",
    argument: "file",
    run: runWords("open"),
  },
  {
    name: "select",
    usage: "select <file>:10-20",
    help: "select lines; also file:10 and file:10:5-12:8",
    argument: "file",
    run: runWords("select"),
  },
  {
    name: "clear",
    usage: "clear",
    help: "clear the selection",
    run: runWords("clear"),
  },
  {
    name: "mention",
    usage: "mention <file>[:10-20]",
    help: "add it to the agents' prompts",
    argument: "file",
    run: runWords("mention"),
  },
  {
    name: "share",
    usage: `share [${shareLevels.join("|")}]`,
    help: "show or set what agents may see",
    argument: "level",
    run: share,
  },
  { name: "sessions", usage: "sessions", help: "list the connected agents", run: sessions },
  {
    name: "diffs",
    usage: "diffs",
    help: "list the pending diffs, and edits that came without a review",
    run: (_, { diffs, host, screen }) => {
      const edits = host.changes.list.all.filter(({ state }) => state === "unreviewed");
      if (edits.length === 0 || diffs.numbers.length > 0) diffs.list();
      screen.print(...edits.map(describeEdit));
    },
  },
  ...answers,
  { name: "page", usage: "page", help: "open the folder in your browser (serve --web)", run: page },
  helpCommand(() => terminalCommands),
  {
    name: "quit",
    usage: "quit",
    help: "stop idewire; so do Ctrl-C and Ctrl-D",
    run: (_, { stop }) => stop.request(0),
  },
];

/**
 * Without a number the first pending diff would be answered, which may not be the one under review, and the
 * decisions on its hunks would be lost.
 */
function diffsToAnswer(number: string, { diffs, review }: ReviewContext): DiffPrompt {
  if (number !== "" || review.question === undefined) return diffs;
  throw new Error("A review is open: answer its hunk with y or n, or leave it with q.");
}

function page(_: string, { page: own, screen, palette }: TerminalCommandContext): void {
  if (own === undefined) throw new Error("There is no page: start with idewire serve --web.");
  screen.print(line`Valid once, for a minute: ${palette.bold(own.createLink())}`);
}

/** Runs a command of the editor, and prints the result. */
function runWords(verb: TypedVerb): TerminalCommand["run"] {
  return async (argument, terminal) => {
    const { host, screen, act, locate } = terminal;
    const words = readWords(verb, argument);
    const command = await words.compose(async (path, start, end) =>
      toRange(start, end, await host.read(locate(path))),
    );
    const delivery = await act(command);
    screen.print(describeDone(locateCommand(command, locate), terminal));
    const unable = delivery && describeUnable(delivery);
    if (unable !== undefined) screen.print(line`${terminal.palette.warning(unable)}`);
  };
}

function describeDone(command: EditorCommand, terminal: TerminalCommandContext): Printable {
  if (!("path" in command)) return line`Nothing is selected.`;
  const name = relativeTo(terminal.host.folder, command.path);
  if (command.do === "mention") {
    const { lines } = command;
    const where = lines === undefined ? "" : `, ${describeLines(lines.start, lines.end)}`;
    return line`Mentioned: ${name}${where}.`;
  }
  const warning = caveat(terminal, command.path);
  if (command.do !== "select") return line`The active file is ${name}.${warning}`;
  const { start, end } = command.range;
  return line`Selected: ${name}, ${describeLines(start.line, end.line)}.${warning}`;
}

function share(argument: string, { listener, screen }: TerminalCommandContext): void {
  if (argument !== "") {
    const level = shareLevels.find((known) => known === argument);
    if (level === undefined) throw new Error(`Expected one of ${shareLevels.join(", ")}.`);
    listener.share = { ...listener.share, level: level satisfies ShareLevel };
  }
  screen.print(line`Shared (${listener.share.level}): ${describeShare(listener.share.level)}.`);
}

function sessions(_: string, { listener, screen }: TerminalCommandContext): void {
  const lines = [...listener.sessions].map((session) => {
    const { agent, pid, title } = session;
    const version = agent === undefined ? "has not completed the handshake yet" : agent.version;
    const process = pid === undefined ? "" : `, process ${pid}`;
    return line`${nameOf(session)} ${version}${process}${title === undefined ? "" : `: ${title}`}`;
  });
  screen.print(...(lines.length > 0 ? lines : [line`No agent is connected.`]));
}

/** `e1  notes.md  +3 -1  Claude Code, written without a review` */
function describeEdit({ id, path, agent, added, removed, isCertain }: Change): Printable {
  const writer = isCertain === false ? `${agent} or another program` : agent;
  return line`${id}  ${path}  +${added} -${removed}  ${writer}, written without a review`;
}

function helpCommand(
  commands: () => readonly TerminalCommand<never>[],
): TerminalCommand<ReviewContext> {
  return {
    name: "help",
    usage: "help",
    help: "this",
    run(_, { screen, palette }) {
      const width = Math.max(...commands().map(({ usage }) => usage.length));
      for (const { usage, help: words } of commands()) {
        screen.print(line`  ${palette.bold(usage.padEnd(width))}  ${words}`);
      }
    },
  };
}

/** 1-based line numbers. */
function describeLines(first: number, last: number): string {
  return first === last ? `line ${first + 1}` : `lines ${first + 1}–${last + 1}`;
}

/** The reason why agents may not receive the person's last action. */
function caveat({ listener, palette }: TerminalCommandContext, path: PosixPath) {
  const { level } = listener.share;
  if (level === "off")
    return line` ${palette.warning("Nothing is shared now: share path|selection|all")}`;
  if (listener.share.isExcluded(path))
    return line` ${palette.warning("Such files are never shared.")}`;
  if (listener.sessions.size === 0) return line` ${palette.dim("No agent is connected yet.")}`;
  return line``;
}
