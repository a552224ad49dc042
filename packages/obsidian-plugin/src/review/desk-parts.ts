import type { Clock, DiffRequest, PosixPath } from "@idewire/core";
import type { CurrentText } from "./current-text.ts";
import type { ReviewHistory } from "./history/history.ts";
import type { Review } from "./review.ts";

/** What the desk needs of the world. */
export interface DeskParts {
  readonly history: ReviewHistory;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Lets the app do something else. */
  readonly pause: () => Promise<void>;
  readonly read: (path: PosixPath) => Promise<CurrentText>;
  /** What the person calls the file, and whether it is in the vault. */
  readonly nameOf: (request: DiffRequest) => Promise<Pick<Review, "name" | "isOutside">>;
  readonly agentName: (request: DiffRequest) => string;
  /** The text of this file may not be kept. */
  readonly isExcluded: (path: PosixPath) => boolean;
}

export interface DeskEvents {
  /** Another review is to be shown, or none. */
  current(): void;
  /** Something about a review changed. */
  review(review: Review): void;
  /** Obsidian goes, or the plugin does: what waited will not be decided any more. */
  ended(): void;
  /** What the person makes of it is too long to be kept before it is decided. */
  "too-long"(review: Review): void;
  /** The agent went before the person had decided. */
  gone(review: Review): void;
}
