import type { PosixPath } from "@idewire/core";

/** What became of a proposal. */
export type ReviewOutcome =
  | "waiting"
  | "accepted"
  /** Accepted with changes by the person. */
  | "edited"
  | "rejected"
  | "closed"
  /** In the agent, which does not tell how. */
  | "answered-elsewhere"
  /** The agent does not want an answer any more. */
  | "withdrawn"
  /** The agent went, or Obsidian was closed, before anyone decided. */
  | "expired";

/** What is known of a review without its texts. */
export interface ReviewRecord {
  readonly id: string;
  readonly openedMs: number;
  readonly path: PosixPath;
  /** As the person knows it. */
  readonly name: string;
  readonly agent: string;
  readonly fate: ReviewOutcome;
  /** The length of its texts; 0 when they are not kept. */
  readonly size: number;
}

/** The texts of a review; kept apart, so that a list is short. */
export interface RecordTexts {
  /** Before; undefined for a file that was not there. */
  readonly before: string | undefined;
  readonly proposed: string;
  /** What was accepted, or what the person had made of it so far. */
  readonly result?: string;
}

/** A review of the history, with its texts where they were kept. */
export interface PastReview {
  readonly record: ReviewRecord;
  readonly texts?: RecordTexts;
}

/** How much of the past is kept. */
export interface HistoryBounds {
  readonly days: number;
  readonly records: number;
  /** Of all texts together, in UTF-16 units. */
  readonly size: number;
}

export const historyBounds: Omit<HistoryBounds, "days"> = { records: 500, size: 64 * 1024 * 1024 };

const DAY_MS = 24 * 3_600_000;

/** The ids of what is too old or too much; the newest stay, and whatever still waits. */
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
    if (record.fate === "waiting") return [];
    const isOld = nowMs - record.openedMs > bounds.days * DAY_MS;
    return isOld || kept > bounds.records || size > bounds.size ? [record.id] : [];
  });
}
