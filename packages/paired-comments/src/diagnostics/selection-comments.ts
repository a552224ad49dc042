import { type EditorHost, Emitter, type HostEvents, isInside, type Selection } from "@idewire/core";
import { inOneLine, type LineComment, overrideHost, relativeTo } from "@idewire/core/internal";
import type { LocatedComment, LocatedFile } from "../store/located-comments.ts";

/** Reads the comments of a file by its path relative to the workspace; undefined to add none. */
export type ReadComments = (filePath: string) => Promise<LocatedFile> | undefined;

/** Limits, so that comments do not outweigh the selection. */
const mostComments = 20;
const longestText = 500;
const longestAuthor = 100;

interface KnownComments {
  /** Identifies the selected lines. */
  readonly key: string;
  readonly comments: readonly LineComment[];
}

/**
 * Wraps an editor to add open comments on the selected lines to selections. They are read when a selection is
 * first sent; another selection event follows once they are known.
 */
export function withSelectionComments(host: EditorHost, read: ReadComments): EditorHost {
  const changes = new Emitter<Pick<HostEvents, "selection">>();
  let known: KnownComments = { key: "", comments: [] };
  let reading = "";
  const look = async (key: string, selection: Selection) => {
    if (reading === key) return;
    reading = key;
    const comments = await commentsOn(selection, host, read);
    if (reading !== key) return;
    reading = "";
    const isSame = known.key === key && JSON.stringify(known.comments) === JSON.stringify(comments);
    const isNews = !isSame && (comments.length > 0 || known.key === key);
    known = { key, comments };
    if (isNews) changes.emit("selection");
  };
  return overrideHost(host, {
    selection(which) {
      const selection = host.selection(which);
      const isSelected = selection?.ranges.some(({ text }) => text !== "") === true;
      if (selection === undefined || !isSelected) return selection;
      const key = keyOf(selection);
      void look(key, selection);
      const comments = known.key === key ? known.comments : [];
      return comments.length === 0 ? selection : { ...selection, comments };
    },
    on(event, listener) {
      const stop = host.on(event, listener);
      if (event !== "selection") return stop;
      const stopOwn = changes.on("selection", listener as HostEvents["selection"]);
      return () => {
        stop();
        stopOwn();
      };
    },
  });
}

function keyOf({ path, ranges }: Selection): string {
  return `${ranges.map(({ start, end }) => `${start.line}-${end.line}`).join(" ")} ${path}`;
}

async function commentsOn(
  { path, ranges }: Selection,
  host: EditorHost,
  read: ReadComments,
): Promise<readonly LineComment[]> {
  const folder = host.workspace().folders.find((each) => isInside(each.path, path));
  if (folder === undefined) return [];
  try {
    const file = await read(relativeTo(folder.path, path));
    const isOnThem = ({ lines }: LineComment) =>
      ranges.some(({ start, end }) => {
        const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
        return lines.start <= last && lines.end >= start.line;
      });
    return (file?.comments ?? [])
      .filter(isOpen)
      .map(toLineComment)
      .filter(isOnThem)
      .slice(0, mostComments);
  } catch {
    // Errors of comments must not cost an agent the selection.
    return [];
  }
}

function isOpen({ comment, place }: LocatedComment): boolean {
  return (comment.status ?? "open") === "open" && place.status !== "orphaned";
}

function toLineComment({ comment, place }: LocatedComment): LineComment {
  const { id, tag } = comment;
  const text = inOneLine(comment.text, longestText);
  const author = inOneLine(comment.author, longestAuthor);
  const lines = { start: place.line - 1, end: (place.endLine ?? place.line) - 1 };
  return { lines, id, tag, author, text };
}
