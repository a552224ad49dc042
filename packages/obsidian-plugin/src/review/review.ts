import type { Text } from "@codemirror/state";
import { type Draft, joinText, layOut, textOfDraft, withEnding } from "@idewire/codemirror";
import { createDraft } from "@idewire/codemirror/internal";
import type { DiffRequest, PosixPath } from "@idewire/core";
import type { DiffAnswer } from "@idewire/core/internal";
import {
  asProposed,
  countAddedHidden,
  describeAddedHidden,
  describeLostBytes,
} from "@idewire/core/internal";
import {
  findConflicts,
  findHiddenChanges,
  type HiddenChanges,
  mergeTexts,
} from "@idewire/core/internal/hunks";
import type { CurrentText, FileTexts } from "./current-text.ts";
import type { DraftState, UndoSteps } from "./editor/compared-with.ts";

/** A pending review. */
export interface Review {
  readonly id: string;
  readonly request: DiffRequest;
  /** Name of the agent. */
  readonly agent: string;
  /** Where the file is now: the person may have renamed it since the agent proposed the change. */
  path: PosixPath;
  /** That path in the vault as Obsidian writes it, otherwise absolute. */
  name: string;
  readonly isOutside: boolean;
  /** Its id in the history. */
  readonly record: string;
  /** The text that it is compared with. */
  current: CurrentText;
  /** The current text, if it differs and the person has not dealt with it yet. */
  newer: CurrentText | undefined;
  /** The texts on disk and in an editor when `current` was read. */
  before: FileTexts;
  /** The texts at the last check. */
  now: FileTexts;
  /** The unedited proposal, as a document of an editor. */
  readonly untouched: Text;
  /** Its undo history. */
  undoSteps: UndoSteps | undefined;
  /** Its last state; while it is shown, the editor may have a newer one. */
  draft: Draft;
}

/** The effect of a proposal on the file. */
export type ChangeKind = "create" | "empty" | "change" | "none";

/** Whether the file was renamed since the agent proposed the change. */
export function isRenamed({ path, request }: Pick<Review, "path" | "request">): boolean {
  return path !== request.path;
}

/** Its draft, the text that it is compared with, and its undo history. */
export function stateOf({ draft, undoSteps, current, before }: Review): DraftState {
  return { draft, undoSteps, compared: { current, before } };
}

export function textOf(current: CurrentText): string {
  return current.kind === "text" ? current.text : "";
}

/** The text of a note; undefined if the note does not exist. */
export function existingText(current: CurrentText): string | undefined {
  return current.kind === "missing" ? undefined : textOf(current);
}

export function startDraft(request: DiffRequest, current: CurrentText): Draft {
  return createDraft(textOf(current), request.proposed);
}

export function kindOfChange({ request, current }: Review): ChangeKind {
  if (current.kind === "missing") return "create";
  if (request.proposed === textOf(current)) return "none";
  return request.proposed === "" ? "empty" : "change";
}

/**
 * The answer when the person accepts a text. Accepting the current text rejects the
 * proposal, unless the agent proposed exactly that text.
 */
export function answerOf({ request, current }: Review, text: string): DiffAnswer {
  const isThere = current.kind === "text" && asProposed(current.text, request.proposed) === text;
  return isThere && text !== request.proposed ? { kind: "rejected" } : { kind: "accepted", text };
}

/** A draft based on the current text. */
export interface Rebased {
  readonly draft: Draft;
  /** The number of places where both sides changed the same words. */
  readonly overlaps: number;
}

/** Merges the changes made to the file meanwhile into the proposal. */
export function mergeNewer(review: Review, newer: CurrentText): Rebased {
  const mine = textOfDraft(review.draft);
  const { bom, ending, odd } = layOut(mine);
  // If the agent writes other line endings, not every line counts as changed.
  const isOneStyle = ending !== undefined && odd.size === 0;
  const plain = (text: string) => {
    const laidOut = { ...layOut(text), bom: false };
    return joinText(isOneStyle ? withEnding(laidOut, ending) : laidOut);
  };
  const [base, now, proposed] = [textOf(review.current), textOf(newer), mine].map(plain);
  const merged = mergeTexts(base ?? "", now ?? "", proposed ?? "");
  const text = (bom ? "\uFEFF" : "") + merged.text;
  const { overlaps } = merged;
  return { draft: createDraft(textOf(newer), text, overlaps), overlaps: overlaps.length };
}

/** The unchanged proposal, compared with the text that is there now. */
export function compareWithNewer(review: Review, newer: CurrentText): Draft {
  const [base, current] = [textOf(review.current), textOf(newer)];
  const proposed = textOfDraft(review.draft);
  return createDraft(current, proposed, findConflicts({ base, current, proposed }));
}

/** Changes of a proposal that a diff does not show. */
export function hiddenChanges(current: CurrentText, proposed: string): HiddenChanges {
  return current.kind === "text" ? findHiddenChanges(current.text, proposed) : {};
}

/** Describes the bytes that writing the text loses; undefined if there are none. */
export function lostBytes({ current }: Review): string | undefined {
  return describeLostBytes(current.kind === "text" ? (current.lostBytes ?? 0) : 0);
}

/** Describes the hidden characters that a proposal adds; undefined if there are none. */
export function addedHidden({ current, request }: Review): string | undefined {
  return describeAddedHidden(countAddedHidden(textOf(current), request.proposed));
}
