import type { AgentWrite, SessionId } from "@idewire/core/internal";
import type { ChangeList } from "@idewire/core/internal/hunks";

/** The agent that has written a file. */
export interface Writer extends AgentWrite {
  readonly agent: string;
  readonly session?: SessionId;
}

/** The person's decision about an edit, or about one hunk of it. */
export interface ChangeDecision {
  readonly id: string;
  /** The version that the person has seen. */
  readonly version: number;
  readonly decision: "keep" | "undo";
  /** Its place among the undecided hunks; all of them if left out. */
  readonly hunk?: number | undefined;
}

/** How a decision was carried out. */
export interface DecidedChange {
  /** The version after it. */
  readonly version: number;
  /** How many hunks were not undone, because their lines have changed since. */
  readonly refused: number;
  /** Whether the text is unsaved, as other changes of the person in it are. */
  readonly unsaved: boolean;
}

/** How the edits of a turn were undone. */
export interface UndoneTurn {
  /** The files of which something was undone. */
  readonly undone: readonly string[];
  /** In sentences for the person: what was not undone, and why. */
  readonly problems: readonly string[];
}

/** The changes of a folder by agents: its proposals, and edits without a review, which can be undone. */
export interface FolderChanges {
  readonly list: ChangeList;
  /** Reads the files of the folder, as far as they fit, so that writes which no agent announces are compared. */
  rememberAll(): Promise<void>;
  /** An agent has written a file, or may have. */
  attribute(writer: Writer): void;
  /**
   * Carries out a decision about an edit that came without a review.
   * @throws ToolFailure with a sentence for the person when it cannot be
   */
  decide(decision: ChangeDecision): Promise<DecidedChange>;
  /** Undoes all edits that an agent has written in the turn of this one, the newest first. */
  undoTurn(id: string): Promise<UndoneTurn>;
}
