import type { LocatedFile } from "@idewire/paired-comments";
import { texts } from "../texts/index.ts";
import type { FoundComments } from "./search-vault.ts";

/** The longest list that is rendered; more would block the window. */
export const MAX_SHOWN = 500;

/** The content of the pane. */
export interface ShownComments {
  /** The active note. */
  readonly path?: string | undefined;
  /** Its comments; undefined where they cannot be read. */
  readonly file?: LocatedFile | undefined;
  /** The reason why they cannot be read. */
  readonly problem?: string | undefined;
  /** The results of a search in all notes. */
  readonly found?: FoundComments | undefined;
}

/** The name of a note, without folders. */
export function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.md$/, "");
}

/** Describes the content in one line, which screen readers announce. */
export function summaryOf({ path, file, problem, found }: ShownComments): string {
  if (found !== undefined) return foundSummary(found);
  if (path === undefined) return texts.comments.noNote;
  if (problem !== undefined) return problem;
  const count = file?.comments.length ?? 0;
  const note = nameOf(path);
  if (count === 0) return texts.comments.none(note);
  return `${note}: ${texts.comments.count(count)}`;
}

function foundSummary({ comments, unreadable }: FoundComments): string {
  const count = comments.length;
  const files = unreadable.join(", ");
  return [
    texts.comments.found(count),
    count > MAX_SHOWN ? texts.comments.cut(MAX_SHOWN) : "",
    files === "" ? "" : texts.comments.unreadable(files),
  ]
    .filter((part) => part !== "")
    .join(". ");
}
