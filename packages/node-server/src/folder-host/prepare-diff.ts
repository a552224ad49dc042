import { type DiffRequest, type PosixPath, ToolFailure } from "@idewire/core";
import type { PendingDiff } from "./folder-host.ts";
import { isDirty, type OpenDocuments } from "./open-documents.ts";
import { readTextFile, type TextFile } from "./text-file.ts";
import type { WorkspacePaths } from "./workspace-path.ts";

export interface DiffContext {
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
}

interface Side {
  readonly path: PosixPath;
  readonly inside: boolean;
  readonly file: TextFile;
}

/**
 * Reads what a proposal would replace. What is wrong with a file outside the folder is for the
 * person alone: an agent would learn from it what is there.
 * @throws ToolFailure when a file in the folder is none of text
 */
export async function prepareDiff(
  request: DiffRequest,
  context: DiffContext,
): Promise<PendingDiff> {
  const target = await readSide(request.path, context);
  const old = request.oldPath === request.path ? target : await readSide(request.oldPath, context);
  for (const side of [target, old]) demandText(side);
  const outsideWorkspace = !target.inside || !old.inside;
  return {
    request: { ...request, outsideWorkspace },
    current: old.file.kind === "text" ? old.file.text : undefined,
    ...(old.file.kind === "refused" && { unreadable: `${old.path} ${old.file.why}` }),
  };
}

async function readSide(path: PosixPath, { paths, documents }: DiffContext): Promise<Side> {
  const { real, inside } = await paths.locate(path);
  const file = await readTextFile(real);
  const document = inside ? documents.get(real) : undefined;
  const isUnsaved = file.kind === "text" && document !== undefined && isDirty(document);
  return { path, inside, file: isUnsaved ? { ...file, text: document.text } : file };
}

function demandText({ path, inside, file }: Side): void {
  if (!inside || file.kind !== "refused") return;
  const { rule, why } = file;
  if (rule === "directory" || rule === "not-regular" || rule === "binary") {
    throw new ToolFailure(`${path} ${why}`);
  }
}
