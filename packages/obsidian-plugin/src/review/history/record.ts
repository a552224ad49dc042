import type { PosixPath } from "@idewire/core";
import { lineHunks, type UndecidedText } from "@idewire/core/internal/hunks";

/** The outcome of a review, pending included. */
export type ReviewOutcome =
  | "waiting"
  | "accepted"
  /** Accepted with changes by the person. */
  | "edited"
  | "rejected"
  | "closed"
  /** Answered in the agent, which does not report the answer. */
  | "answered-elsewhere"
  /** The agent no longer wants an answer. */
  | "withdrawn"
  /** Written by an agent, or while one was connected, without a review. */
  | "unreviewed"
  /** Such an edit that the person has undone, kept, or undone in part. */
  | "undone"
  | "kept"
  | "partly-undone"
  /** The agent disconnected or Obsidian was closed before a decision. */
  | "expired";

/** A review without its texts. */
export interface ReviewRecord {
  readonly id: string;
  readonly openedMs: number;
  readonly path: PosixPath;
  /** The name shown to the person. */
  readonly name: string;
  readonly agent: string;
  readonly outcome: ReviewOutcome;
  /** Length of its texts in UTF-16 units; 0 if they are not kept. */
  readonly size: number;
  /** Of an edit without a review, the turn of its agent, if known. */
  readonly turn?: string;
}

/** Whether it is an edit that came without a review. */
export function isUnreviewed({ outcome }: Pick<ReviewRecord, "outcome">): boolean {
  return ["unreviewed", "undone", "kept", "partly-undone"].includes(outcome);
}

/** A record as it is stored: earlier versions called the outcome `fate`. */
export function readRecord({
  fate,
  ...record
}: ReviewRecord & { readonly fate?: ReviewOutcome }): ReviewRecord {
  return fate === undefined ? record : { ...record, outcome: fate };
}

/** The texts of a review, stored separately so that listing stays fast. */
export interface RecordTexts {
  /** The text before; undefined if there was no file. */
  readonly before: string | undefined;
  readonly proposed: string;
  /** The accepted text, or the draft so far. */
  readonly result?: string;
  /** Of an edit without a review, the part that is not decided yet; all of it if left out. */
  readonly undecided?: UndecidedText;
}

/** The part of an edit without a review that is not decided yet; its hunks are the differences of the two. */
export function undecidedOf({ before = "", proposed, undecided }: RecordTexts): UndecidedText {
  return undecided ?? { before, written: proposed };
}

/** The outcome of an edit without a review after decisions about its hunks. */
export function decidedOutcome(texts: RecordTexts): ReviewOutcome {
  const { before, written } = undecidedOf(texts);
  if (lineHunks(before, written).length > 0) return "unreviewed";
  if (written === texts.proposed) return "kept";
  return written === (texts.before ?? "") ? "undone" : "partly-undone";
}

/** A review of the history, with its texts where they were kept. */
export interface PastReview {
  readonly record: ReviewRecord;
  readonly texts?: RecordTexts;
}

/** The limits of the history. */
export interface HistoryBounds {
  readonly days: number;
  readonly records: number;
  /** Of all texts together, in UTF-16 units. */
  readonly size: number;
}

export const historyBounds: Omit<HistoryBounds, "days"> = { records: 500, size: 64 * 1024 * 1024 };

const DAY_MS = 24 * 3_600_000;

/** The ids of records that are too old or too many; the newest and all pending ones stay. */
export function outdated(
  records: readonly ReviewRecord[],
  bounds: HistoryBounds,
  nowMs: number,
): string[] {
  const newestFirst = [...records].sort((a, b) => b.openedMs - a.openedMs);
  let kept = 0;
  let size = 0;
  return newestFirst.flatMap((record) => {
    kept += 1;
    size += record.size;
    if (record.outcome === "waiting") return [];
    const isOld = nowMs - record.openedMs > bounds.days * DAY_MS;
    return isOld || kept > bounds.records || size > bounds.size ? [record.id] : [];
  });
}
