import { type EditorCommand, toNativePath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import type { SendComments } from "../../comments/send-folder-comments.ts";
import type { Palette } from "../../output/palette.ts";
import type { Printable } from "../../output/printable.ts";
import { layOut } from "../../output/wrap.ts";
import type { CliIo } from "../../process/io.ts";
import type { Stop } from "../../process/stop.ts";
import { type Completable, complete } from "./prompt/completion.ts";
import { showInPager } from "./prompt/pager.ts";
import {
  createPlainPrompt,
  isInteractive,
  type LineSource,
  TerminalPrompt,
} from "./prompt/prompt.ts";
import type { TerminalScreen } from "./prompt/screen.ts";
import { ChangeComments } from "./review/change-comments.ts";
import { DiffPrompt } from "./review/diff-prompt.ts";
import type { DiffQueue, ReviewedEditor } from "./review/diff-queue.ts";
import { EditPrompt, type EditSource } from "./review/edit-prompt.ts";
import { type EditedText, editText } from "./review/edit-text.ts";
import { HunkPrompt } from "./review/hunk-prompt.ts";

export interface ReviewTerminalOptions {
  readonly io: CliIo;
  readonly screen: TerminalScreen;
  readonly palette: Palette;
  readonly stop: Stop;
  readonly host: ReviewedEditor;
  readonly queue: DiffQueue;
  /** The name of the agent of a session. */
  readonly agentOf: (session: string) => string;
  /** Runs a command of the person. */
  readonly act: (command: EditorCommand<string>) => Promise<void>;
  /** The edits that came without a review. */
  readonly edits: EditSource;
  /** Sends comments on a diff, or on such an edit. */
  readonly comment: SendComments;
  /** Called when the review of such an edit ends. */
  readonly onedited?: (isDecided: boolean) => void;
  /** The commands of the prompt. */
  readonly commands: readonly Completable[];
}

/** A terminal in which diffs are shown and answered. The caller closes it. */
export interface ReviewTerminal {
  readonly prompt: LineSource;
  readonly diffs: DiffPrompt;
  readonly review: HunkPrompt;
  readonly edits: EditPrompt;
  close(): void;
}

export function openReviewTerminal(options: ReviewTerminalOptions): ReviewTerminal {
  const { io, screen, palette, stop, host, commands } = options;
  const folder = toNativePath(host.folder, platform);
  const prompt: LineSource = isInteractive(io)
    ? new TerminalPrompt({
        io,
        screen,
        completer: (typed) => complete(typed, commands, folder, diffs.numbers),
        onInterrupt: () => stop.request(130),
        onDiscard: () => diffs.lineDone(),
        question: () => edits.question ?? review.question,
      })
    : createPlainPrompt(io);
  const place: EditingPlace = { io, screen, prompt, stop };
  const edit = (text: string, name: string) => editOnTerminal(text, name, place);
  const editing = { host, screen, act: options.act, edit, palette };
  const comments = new ChangeComments(screen, options.comment);
  const review = new HunkPrompt({ ...editing, comments });
  const { queue, agentOf, edits: source, onedited: onend } = options;
  const edits = new EditPrompt({ screen, palette, source, comments, ...(onend && { onend }) });
  const diffs = new DiffPrompt({
    ...{ ...editing, queue, agentOf },
    isTyping: () => prompt.isTyping,
    page: (lines) => pageOnTerminal(lines, place),
  });
  return {
    ...{ prompt, diffs, review, edits },
    close() {
      diffs.close();
      prompt.close();
    },
  };
}

interface EditingPlace {
  readonly io: CliIo;
  readonly screen: TerminalScreen;
  readonly prompt: LineSource;
  readonly stop: Stop;
}

function editOnTerminal(text: string, name: string, place: EditingPlace): Promise<EditedText> {
  const { io, stop } = place;
  const { signal } = stop;
  return runInForeground(place, () =>
    editText(text, { env: io.env, name, onTerminal: isInteractive(io), signal }),
  );
}

async function pageOnTerminal(lines: Iterable<Printable>, place: EditingPlace): Promise<boolean> {
  const { io, stop } = place;
  // As with git, there is no pager without a terminal.
  if (!isInteractive(io)) return false;
  return runInForeground(place, () =>
    showInPager(layOutAll(lines, io.stdout), { env: io.env, signal: stop.signal }),
  );
}

function* layOutAll(lines: Iterable<Printable>, output: CliIo["stdout"]): Iterable<string> {
  for (const each of lines) yield layOut(each, output);
}

/** Releases the terminal to another program, to which Ctrl-C then applies. */
async function runInForeground<T>(place: EditingPlace, run: () => Promise<T>): Promise<T> {
  const { screen, prompt, stop } = place;
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
