/** How much hangs on a rule. */
export type CheckLevel =
  /** Agents fail without it, or people come to harm. */
  | "must"
  /** Agents get by, with less. */
  | "should"
  /** A courtesy. */
  | "may";

/** The groups in the order in which they are run. */
export const checkGroups = {
  LOCK: "discovery file",
  CONN: "upgrade and token",
  LIFE: "lifecycle",
  RPC: "JSON-RPC",
  TOOL: "tools",
  DIAG: "diagnostics",
  NOTE: "notifications",
  KEEP: "keep-alive",
  LIMIT: "limits",
  DIFF: "diffs",
  FRAME: "every frame",
} as const;

export type CheckGroup = keyof typeof checkGroups;

/** What a check is, without how it is run. */
export interface CheckFacts {
  /** Stable: it is never given to another rule. */
  readonly id: `IDE-${CheckGroup}-${number}`;
  readonly level: CheckLevel;
  /** In a sentence. */
  readonly rule: string;
  /** From where the rule is known. */
  readonly source: string;
  /** What official editors and agents do about it, where that is known. */
  readonly note?: string;
  /** It shows the person something, or closes what is theirs: only when asked for. */
  readonly destructive?: true;
  /** It does what no agent does: an editor that does not expect it may freeze. Run last. */
  readonly hostile?: true;
}

/** What became of a check. */
export type CheckVerdict = "pass" | "fail" | "skipped";

/** One check and its verdict. */
export interface CheckResult extends CheckFacts {
  readonly verdict: CheckVerdict;
  /** What was seen, or why it was skipped; empty when there is nothing to say. */
  readonly detail: string;
  /** The events of the log that prove it, by their numbers. */
  readonly frames: readonly number[];
  readonly ms: number;
}

/** The rule is broken. */
export class CheckFailed extends Error {
  constructor(seen: string) {
    super(seen);
    this.name = "CheckFailed";
  }
}

/** Whether the rule is kept cannot be told here. */
export class CheckSkipped extends Error {
  constructor(why: string) {
    super(why);
    this.name = "CheckSkipped";
  }
}

/** @throws CheckFailed with what was seen instead */
export function demand(isKept: boolean, seen: string): asserts isKept {
  if (!isKept) throw new CheckFailed(seen);
}

/** The group that an id is of. */
export function groupOf({ id }: Pick<CheckFacts, "id">): CheckGroup {
  return id.split("-")[1] as CheckGroup;
}
