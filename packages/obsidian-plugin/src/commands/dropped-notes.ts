/** A link in dragged text: the URL of a note, or a link in brackets. */
export interface DroppedLink {
  /** A vault path, or the text of a link. */
  readonly name: string;
  readonly isPath: boolean;
}

/** Parses dragged text: notes from the file explorer, or a link from a note. */
export function readDropped(text: string): readonly DroppedLink[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .flatMap((line) => readUrl(line) ?? readLink(line));
}

function readUrl(line: string): readonly DroppedLink[] | undefined {
  if (!line.startsWith("obsidian://open?")) return undefined;
  const file = new URLSearchParams(line.slice(line.indexOf("?") + 1)).get("file");
  return file === null ? [] : [{ name: file, isPath: true }];
}

function readLink(line: string): readonly DroppedLink[] {
  const name = /^!?\[\[([^\]|#]+)(?:[|#][^\]]*)?\]\]$/.exec(line)?.[1];
  return name === undefined ? [] : [{ name: name.trim(), isPath: false }];
}
