import type { EditorChange } from "@idewire/core/internal";
import type { Translation } from "./translation.ts";

/** Traces of the playground have what the editor did, beside the frames that it sent. */
export function translateChange(change: EditorChange, t: number, into: Translation): void {
  const { steps, files, omissions } = into;
  // Frames have said these already.
  if (change.kind === "selected" || change.kind === "diagnostics") return;
  if (change.kind === "review-closed") return;
  const filePath = into.fileOf(change.path, change.kind);
  if (filePath === undefined) return;
  switch (change.kind) {
    case "review-opened":
      files.whole(filePath, change.original);
      return;
    case "opened":
      steps.act({ do: "open", filePath }, t);
      return;
    case "closed":
      steps.act({ do: "close", filePath }, t);
      return;
    case "deleted":
      omissions.add("a file was deleted: a scenario deletes none");
      return;
    case "text":
      translateText({ ...change, filePath }, t, into);
      return;
  }
}

interface TextChange {
  readonly filePath: string;
  readonly text: string;
  readonly unsaved?: boolean;
}

function translateText(
  { filePath, text, unsaved }: TextChange,
  t: number,
  into: Translation,
): void {
  const { steps, files } = into;
  if (into.accepted.get(filePath) === text) {
    // What the person accepted is written by the agent.
    into.accepted.delete(filePath);
    steps.expect({ expect: "file", filePath, text }, t);
  } else if (!into.hadConnection && unsaved !== true) {
    files.whole(filePath, text);
  } else {
    steps.act({ do: unsaved === true ? "edit" : "write", filePath, text }, t);
    if (unsaved !== true) files.written(filePath);
  }
}
