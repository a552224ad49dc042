import type { EditorChange } from "@idewire/core/internal";
import type { Translation } from "./translation.ts";

/** Translates changes of the editor, which traces of the playground have beside the frames. */
export function translateChange(change: EditorChange, t: number, into: Translation): void {
  const { steps, files, omissions } = into;
  // These are in frames as well.
  if (change.kind === "selected" || change.kind === "diagnostics") return;
  if (change.kind === "review-closed") return;
  const path = into.fileOf(change.path, change.kind);
  if (path === undefined) return;
  switch (change.kind) {
    case "review-opened":
      files.whole(path, change.original);
      return;
    case "opened":
      steps.act({ do: "open", path }, t);
      return;
    case "closed":
      steps.act({ do: "close", path, discard: true }, t);
      return;
    case "deleted":
      omissions.add("a file was deleted: a scenario deletes none");
      return;
    case "text":
      translateText({ ...change, path }, t, into);
      return;
  }
}

interface TextChange {
  readonly path: string;
  readonly text: string;
  readonly unsaved?: boolean;
}

function translateText({ path, text, unsaved }: TextChange, t: number, into: Translation): void {
  const { steps, files } = into;
  if (into.accepted.get(path) === text) {
    // The agent writes the accepted text.
    into.accepted.delete(path);
    steps.expect({ expect: "file", path, text }, t);
  } else if (!into.hadConnection && unsaved !== true) {
    files.whole(path, text);
  } else {
    steps.act({ do: unsaved === true ? "edit" : "write", path, text }, t);
    if (unsaved !== true) files.written(path);
  }
}
