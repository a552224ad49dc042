import type { LocatedFile } from "@idewire/paired-comments";
import { isOrphan, type ListedComment } from "@idewire/paired-comments/internal";
import { texts } from "../texts/index.ts";
import { addCommentItem, type CommentAction } from "./comment-item.ts";
import type { OpenForm } from "./form-place.ts";
import type { FoundComments } from "./search-vault.ts";
import { MAX_SHOWN, nameOf, type ShownComments } from "./summary.ts";

/** The content of a list of comments, and its actions. */
export interface CommentListParts {
  readonly form: OpenForm | undefined;
  readonly reveal: (located: ListedComment, path: string) => void;
  readonly act: (action: CommentAction, located: ListedComment, path: string) => void;
  readonly move: (
    from: { readonly path: string; readonly id: string },
    to: { readonly filePath?: string | undefined; readonly line: number },
  ) => void;
  readonly lookElsewhere: (id: string) => void;
}

/** Renders the comments that were found, else those of the note. */
export function drawComments(
  list: HTMLElement,
  { found, file }: ShownComments,
  parts: CommentListParts,
): void {
  if (found !== undefined) drawFound(list, found, parts);
  else if (file !== undefined) drawNote(list, file, parts);
}

function drawFound(
  list: HTMLElement,
  { comments, problem }: FoundComments,
  parts: CommentListParts,
): void {
  if (problem !== undefined) {
    list.createDiv({ cls: "idewire-comments-problem", text: problem });
  }
  const items = list.createEl("ul", { cls: "idewire-comments-items" });
  for (const { filePath: path, ...located } of comments.slice(0, MAX_SHOWN)) {
    drawItem(items, { located, path, note: nameOf(path) }, parts);
  }
}

function drawNote(
  list: HTMLElement,
  { filePath: path, comments }: LocatedFile,
  parts: CommentListParts,
): void {
  const placed = comments.filter((each) => !isOrphan(each)).slice(0, MAX_SHOWN);
  const items = list.createEl("ul", { cls: "idewire-comments-items" });
  for (const located of placed) drawItem(items, { located, path }, parts);
  const orphans = comments.filter(isOrphan).slice(0, MAX_SHOWN);
  if (orphans.length === 0) return;
  list.createEl("h6", { text: texts.comments.orphans });
  const lost = list.createEl("ul", { cls: "idewire-comments-items" });
  for (const located of orphans) drawItem(lost, { located, path }, parts);
}

interface DrawnComment {
  readonly located: ListedComment;
  readonly path: string;
  /** The name of its note, if comments of several notes are listed. */
  readonly note?: string;
}

function drawItem(
  items: HTMLElement,
  { located, path, note }: DrawnComment,
  { form, reveal, act, move, lookElsewhere }: CommentListParts,
): void {
  const { id } = located.comment;
  const item = addCommentItem(items, located, {
    ...(note !== undefined && { note }),
    reveal: () => reveal(located, path),
    act: (action) => act(action, located, path),
    move: (filePath, line) => move({ path, id }, { filePath, line }),
    lookElsewhere: () => lookElsewhere(id),
  });
  if (form?.below === id) item.append(form.element);
}
