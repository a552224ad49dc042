import { type CompiledInput, compileInput, exactly } from "@idewire/core/internal";
import * as v from "valibot";

// The requests of `idewire diffs` and `idewire review` to the editor that serves the folder.

/** The method that lists the pending diffs. */
export const LIST_DIFFS = "editor/listDiffs";
/** The method that shows a diff, which may then be answered on the same connection. */
export const SHOW_DIFF = "editor/showDiff";
/** The notification that a shown diff is compared with another text, as its file has changed. */
export const DIFF_CHANGED = "editor/diffChanged";
/** The notification that a shown diff is answered or closed. */
export const DIFF_CLOSED = "editor/diffClosed";

/** A pending diff. */
export interface ListedDiff {
  readonly number: number;
  /** Relative to the folder; native and absolute outside it. */
  readonly path: string;
  readonly agent: string;
}

/** The requested diff, and the requesting process. */
export interface WantedDiff {
  readonly number: number;
  readonly pid: number;
}

/** A diff for its reviewer, with the editor's paths. */
export interface ShownDiffText {
  readonly id: string;
  /** The folder that is served. */
  readonly folder: string;
  readonly path: string;
  readonly oldPath: string;
  readonly title: string;
  readonly outsideWorkspace: boolean;
  readonly agent: string;
  readonly proposed: string;
  readonly current?: string;
  readonly notes?: readonly string[];
  readonly unreadable?: string;
}

/** How a diff ended. */
export interface ClosedDiffFacts {
  readonly id: string;
  readonly outcome: "accepted" | "rejected" | "closed" | "cancelled";
  readonly edited: boolean;
  readonly by: string;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const listed = v.object({ number: count, path: v.string(), agent: v.string() });

export const wantedDiff: CompiledInput<WantedDiff> = compileInput(
  "diff",
  exactly<WantedDiff>()(v.object({ number: count, pid: count })),
);

export const listedDiffs: CompiledInput<{ readonly diffs: readonly ListedDiff[] }> = compileInput(
  "diffs",
  exactly<{ readonly diffs: readonly ListedDiff[] }>()(v.object({ diffs: v.array(listed) })),
);

export const shownDiff: CompiledInput<ShownDiffText> = compileInput(
  "diff",
  exactly<ShownDiffText>()(
    v.object({
      id: v.string(),
      folder: v.string(),
      path: v.string(),
      oldPath: v.string(),
      title: v.string(),
      outsideWorkspace: v.boolean(),
      agent: v.string(),
      proposed: v.string(),
      current: v.exactOptional(v.string()),
      notes: v.exactOptional(v.array(v.string())),
      unreadable: v.exactOptional(v.string()),
    }),
  ),
);

export const closedDiff: CompiledInput<ClosedDiffFacts> = compileInput(
  "diff",
  exactly<ClosedDiffFacts>()(
    v.object({
      id: v.string(),
      outcome: v.picklist(["accepted", "rejected", "closed", "cancelled"]),
      edited: v.boolean(),
      by: v.string(),
    }),
  ),
);
