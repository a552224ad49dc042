import type { DiffEndedBy } from "../diffs/diff-end.ts";
import type { DiffOutcome, SessionId } from "../editor-host.ts";

/** The state of a change: of a proposal until and after its answer, or of an edit that came without a review. */
export type ChangeState =
  /** A proposal that the person has not answered. */
  | "waiting"
  | "accepted"
  | "rejected"
  /** Closed by the person without an answer. */
  | "closed"
  /** Answered in its agent, which does not report the answer. */
  | "answered-elsewhere"
  | "withdrawn"
  /** Its agent, or the editor, has disconnected before an answer. */
  | "gone"
  /** Written without a review, and not decided yet. */
  | "unreviewed"
  /** An edit without a review that the person has kept, undone, or partly undone. */
  | "kept"
  | "undone"
  | "partly-undone";

/** A change of a file by an agent: a proposal, or an edit that came without a review. */
export interface Change {
  /** The id of the diff; an edit has a separate one. */
  readonly id: string;
  /** The path as the editor shows it. */
  readonly path: string;
  /** The name of the agent for the person. */
  readonly agent: string;
  readonly session?: SessionId;
  readonly state: ChangeState;
  /** The number of lines that it adds. */
  readonly added: number;
  /** The number of lines that it removes. */
  readonly removed: number;
  /** When it was proposed or written, in milliseconds since 1970. */
  readonly openedMs: number;
  /** When it was answered or decided. */
  readonly endedMs?: number;
  /** Identifies the turn of the agent in which it was written without a review. */
  readonly turn?: string;
  /** Whether the agent has announced the edit; otherwise another program may have written it. */
  readonly isCertain?: boolean;
  /** Whether its texts are still stored, so that it can be read. */
  readonly isReadable: boolean;
  /** Increases with each change of its texts, so that a decision about older ones is noticed. */
  readonly version: number;
}

/** The texts of a change. */
export interface ChangeTexts {
  /** Undefined if there was no file. */
  readonly before: string | undefined;
  /** The proposed, accepted or written text; undefined if the file was deleted. */
  readonly after: string | undefined;
  /** The part of an edit that is not decided yet; its hunks are the differences of the two. */
  readonly undecided?: { readonly before: string; readonly written: string };
}

/** Whether the person can still decide about a change. */
export function isOpenChange({ state }: Pick<Change, "state">): boolean {
  return state === "waiting" || state === "unreviewed";
}

/** The state of a proposal after its end. */
export function stateAfter({ kind }: DiffOutcome, by: DiffEndedBy): ChangeState {
  if (kind !== "cancelled") return kind;
  if (by === "answered-elsewhere") return "answered-elsewhere";
  return by === "asked" ? "withdrawn" : "gone";
}

/** All states. */
export const changeStates: readonly ChangeState[] = [
  ...(["waiting", "accepted", "rejected", "closed", "answered-elsewhere", "withdrawn"] as const),
  ...(["gone", "unreviewed", "kept", "undone", "partly-undone"] as const),
];

const words: Readonly<Record<ChangeState, string>> = {
  waiting: "waiting",
  accepted: "accepted",
  rejected: "rejected",
  closed: "closed without an answer",
  "answered-elsewhere": "answered in the agent",
  withdrawn: "withdrawn by the agent",
  gone: "unanswered: the agent has gone",
  unreviewed: "written without a review",
  kept: "kept",
  undone: "undone",
  "partly-undone": "undone in part",
};

/** The state of a change in words for the person. */
export function describeChangeState(state: ChangeState): string {
  return words[state];
}
