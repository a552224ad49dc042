/** How important a rule is. */
export type CheckLevel =
  /** Agents fail without it, or users are put at risk. */
  | "must"
  /** Agents work without it, with less. */
  | "should"
  /** Optional. */
  | "may";

/** The groups of the rules for editors, then of those for MCP servers, in the order of the catalogues. */
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
  HTTP: "agents over HTTP",
  INIT: "first contact",
  CAP: "capabilities",
  MSG: "messages",
  LIST: "lists",
  CALL: "calls of tools",
  READ: "resources, prompts",
  MOD: "MCP 2026-07-28",
  STDIO: "stdin and stdout",
  WEB: "HTTP",
  AUTH: "authorization",
} as const;

export type CheckGroup = keyof typeof checkGroups;

/** A check, without the code that runs it. */
export interface CheckFacts {
  /** Stable: an id is never reused for another rule. */
  readonly id: `${"IDE" | "MCP"}-${CheckGroup}-${number}`;
  readonly level: CheckLevel;
  /** The rule in a sentence. */
  readonly rule: string;
  /** The source of the rule. */
  readonly source: string;
  /** What official editors and agents do, if known. */
  readonly note?: string;
  /** It may have effects in the editor, or of the server; runs only if requested. */
  readonly destructive?: true;
  /** It waits for the person to act in the editor; runs only if requested. */
  readonly needsPerson?: true;
  /** Whether it sends messages that no agent sends, which may freeze an editor; runs last. */
  readonly hostile?: true;
}

/** The verdict of a check. */
export type CheckVerdict = "pass" | "fail" | "skipped";

/** A check and its verdict. */
export interface CheckResult extends CheckFacts {
  readonly verdict: CheckVerdict;
  /** The observation, or why it was skipped; may be empty. */
  readonly detail: string;
  /** The numbers of the events that prove it. */
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

/** The rule cannot be checked. */
export class CheckSkipped extends Error {
  constructor(why: string) {
    super(why);
    this.name = "CheckSkipped";
  }
}

/** @throws CheckFailed with the observation */
export function demand(isKept: boolean, seen: string): asserts isKept {
  if (!isKept) throw new CheckFailed(seen);
}

/** The group of a check, from its id. */
export function groupOf({ id }: Pick<CheckFacts, "id">): CheckGroup {
  return id.split("-")[1] as CheckGroup;
}
