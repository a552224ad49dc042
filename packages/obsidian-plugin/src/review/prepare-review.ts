import type { DiffRequest, PosixPath } from "@idewire/core";
import { type FileTexts, isSameText } from "./current-text.ts";
import { type Review, startDraft } from "./review.ts";

export interface PrepareReviewParts {
  readonly newId: () => string;
  /** Yields to the app. */
  readonly pause: () => Promise<void>;
  readonly read: (path: PosixPath) => Promise<FileTexts>;
  /** Whether an editor has unsaved text of this file. */
  readonly isUnsaved: (path: PosixPath) => boolean;
  /** The name to show for the file, and whether it is outside the vault. */
  readonly nameOf: (request: DiffRequest) => Promise<Pick<Review, "name" | "isOutside">>;
  readonly agentName: (request: DiffRequest) => string;
}

/** Compares a proposal with the current text. Yields to the app between steps: a note may be long. */
export async function prepareReview(
  request: DiffRequest,
  { read, nameOf, pause, agentName, newId, isUnsaved }: PrepareReviewParts,
): Promise<Review> {
  const now = await read(request.path);
  const named = await nameOf(request);
  // The agent knows the text on disk. A tab that differs has unsaved text, which is newer, or has not
  // been reloaded yet.
  const isNewer = !isSameText(now.saved, now.shown) && isUnsaved(request.path);
  const current = now.saved.kind === "missing" && isNewer ? now.shown : now.saved;
  const before = isNewer ? { saved: now.saved, shown: now.saved } : now;
  await pause();
  const draft = startDraft(request, current);
  await pause();
  const about = { id: request.id, request, agent: agentName(request), record: newId() };
  const newer = isNewer && current !== now.shown ? now.shown : undefined;
  const texts = { current, newer, before, now };
  const drafts = { draft, undoSteps: undefined, untouched: draft.result.doc };
  return { ...about, ...named, ...texts, path: request.path, ...drafts };
}
