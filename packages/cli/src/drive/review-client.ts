import { Emitter, type PosixPath } from "@idewire/core";
import { type CompiledInput, type DiffEndedBy, requestCommand } from "@idewire/core/internal";
import type { Peer } from "@idewire/core/rpc";
import type { SendComments } from "../comments/send-folder-comments.ts";
import type { DiffEvents, PendingDiff } from "../folder-host/folder-host.ts";
import { createPalette, wantsColour } from "../output/palette.ts";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import { createStop, type Stop } from "../process/stop.ts";
import { editCommands, reviewCommands } from "../serve/terminal/prompt/commands.ts";
import { runTyped } from "../serve/terminal/prompt/run-typed.ts";
import { TerminalScreen } from "../serve/terminal/prompt/screen.ts";
import { DiffQueue, type ReviewedEditor } from "../serve/terminal/review/diff-queue.ts";
import type { EditSource } from "../serve/terminal/review/edit-prompt.ts";
import { openReviewTerminal } from "../serve/terminal/review-terminal.ts";
import {
  COMMENT_CHANGE,
  closedDiff,
  DECIDE_EDIT,
  DIFF_CHANGED,
  DIFF_CLOSED,
  decidedEdit,
  SHOW_DIFF,
  SHOW_EDIT,
  type ShownDiffText,
  sentComments,
  shownDiff,
  shownEdit,
  UNDO_TURN,
  undoneTurn,
} from "./review-protocol.ts";

/**
 * Shows a whole diff of another process's editor in this terminal, and takes the person's answer.
 * @returns the exit code: 0 once it is answered, here or elsewhere
 * @throws Error with a message for the person
 */
export async function reviewDiff(number: number, peer: Peer, io: CliIo): Promise<number> {
  const result = shownDiff.parse(await peer.request(SHOW_DIFF, { number, pid: process.pid }));
  if (!result.ok) throw new Error(`the editor showed no diff: ${result.issue}`);
  const stop = createStop(io);
  try {
    return await askPerson(number, result.value, { peer, io, stop });
  } finally {
    stop.close();
    io.stdin.destroy();
  }
}

/**
 * Shows an edit that came without a review, hunk by hunk, and takes the person's decisions.
 * @returns the exit code: 0 once everything is decided
 * @throws Error with a message for the person
 */
export async function reviewEdit(id: string, peer: Peer, io: CliIo): Promise<number> {
  const stop = createStop(io);
  try {
    const palette = createPalette(wantsColour(io));
    const screen = new TerminalScreen(io.stdout, true);
    const host = noDiffs();
    const terminal = openReviewTerminal({
      ...{ io, screen, palette, stop, host },
      queue: new DiffQueue(host),
      agentOf: () => "",
      commands: editCommands,
      act: async () => {},
      edits: remoteEdits(peer),
      comment: remoteComments(peer),
      onedited: (isDecided) => stop.request(isDecided ? 0 : 1),
    });
    void peer.closed.then(() => stop.request(1));
    try {
      await terminal.edits.start(id);
      void runTyped(terminal.prompt, { ...terminal, screen, palette, stop }, editCommands);
      return await stop.requested;
    } finally {
      terminal.close();
    }
  } finally {
    stop.close();
    io.stdin.destroy();
  }
}

/** @throws Error with a message for the person */
async function ask<T>(
  peer: Peer,
  [method, params]: readonly [string, Readonly<Record<string, unknown>>],
  answer: CompiledInput<T>,
): Promise<T> {
  const result = answer.parse(await peer.request(method, params));
  if (result.ok) return result.value;
  throw new Error(`${method}: ${result.issue}`);
}

/** The edits of the process that serves the folder. */
function remoteEdits(peer: Peer): EditSource {
  const { pid } = process;
  return {
    show: (id) => ask(peer, [SHOW_EDIT, { id, pid }], shownEdit),
    decide: (decision) => ask(peer, [DECIDE_EDIT, { ...decision }], decidedEdit),
    undoTurn: (id) => ask(peer, [UNDO_TURN, { id, pid }], undoneTurn),
  };
}

/** Comments are stored and sent by that process. */
function remoteComments(peer: Peer): SendComments {
  return (id, comments) => ask(peer, [COMMENT_CHANGE, { id, comments }], sentComments);
}

/** An editor without diffs. */
function noDiffs(): ReviewedEditor {
  return { folder: "/" as PosixPath, pendingDiffs: [], onDiff: () => () => {} };
}

interface Place {
  readonly peer: Peer;
  readonly io: CliIo;
  readonly stop: Stop;
}

async function askPerson(
  number: number,
  shown: ShownDiffText,
  { peer, io, stop }: Place,
): Promise<number> {
  const palette = createPalette(wantsColour(io));
  const screen = new TerminalScreen(io.stdout, true);
  const host = mirror(shown, peer);
  const send = remoteComments(peer);
  let sending: Promise<unknown> = Promise.resolve();
  const terminal = openReviewTerminal({
    ...{ io, screen, palette, stop, host },
    queue: new DiffQueue(host, number),
    agentOf: () => shown.agent,
    edits: remoteEdits(peer),
    comment(id, comments) {
      const sent = send(id, comments);
      sending = sent.catch(() => undefined);
      return sent;
    },
    commands: reviewCommands,
    async act(command) {
      await requestCommand(peer, command);
    },
  });
  // Comments reject the diff before their answer arrives, which the person is to read.
  host.onDiff("diffClosed", () => void sending.then(() => setImmediate(() => stop.request(0))));
  void peer.closed.then(() => stop.request(1));
  void runTyped(terminal.prompt, { ...terminal, screen, palette, stop }, reviewCommands);
  const code = await stop.requested;
  if (host.pendingDiffs.length > 0) screen.print(line`Not answered: the diff is still pending.`);
  terminal.close();
  return code === 0 && host.pendingDiffs.length > 0 ? 1 : code;
}

/** An editor with one diff only. */
function mirror(shown: ShownDiffText, peer: Peer): ReviewedEditor {
  const events = new Emitter<DiffEvents>();
  let diff = toPending(shown);
  let isPending = true;
  peer.handle(DIFF_CHANGED, ({ params }) => {
    const changed = shownDiff.parse(params ?? {});
    if (!changed.ok || changed.value.id !== shown.id) return {};
    diff = toPending(changed.value);
    events.emit("diffChanged", diff);
    return {};
  });
  peer.handle(DIFF_CLOSED, ({ params }) => {
    const facts = closedDiff.parse(params ?? {});
    if (!facts.ok || facts.value.id !== shown.id) return {};
    const { outcome: kind, edited, by } = facts.value;
    isPending = false;
    const outcome = kind === "accepted" ? { kind, edited, text: "" } : { kind };
    events.emit("diffClosed", diff, outcome, by as DiffEndedBy);
    return {};
  });
  return {
    folder: shown.folder as PosixPath,
    get pendingDiffs() {
      return isPending ? [diff] : [];
    },
    onDiff: (event, listener) => events.on(event, listener),
  };
}

function toPending(shown: ShownDiffText): PendingDiff {
  const { id, path, oldPath, title, outsideWorkspace, agent, proposed } = shown;
  const { current, base, notes, unreadable } = shown;
  return {
    request: {
      ...{ id, title, outsideWorkspace, proposed, session: agent },
      path: path as PosixPath,
      oldPath: oldPath as PosixPath,
    },
    current,
    ...(base !== undefined && { base }),
    ...(notes !== undefined && { notes }),
    ...(unreadable !== undefined && { unreadable }),
  };
}
