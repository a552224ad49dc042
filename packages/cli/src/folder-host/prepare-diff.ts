import type { DiffRequest, PosixPath } from "@idewire/core";
import type { TextFile, WorkspacePaths } from "@idewire/node-server/internal/files";
import type { PendingDiff } from "./folder-host.ts";
import { isDirty, type OpenDocuments } from "./open-documents.ts";

export interface DiffContext {
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
}

interface DiffSide {
  readonly path: PosixPath;
  readonly inside: boolean;
  readonly file: TextFile;
}

/**
 * Reads what a proposal would replace. What is wrong with a file is for the person only, who sees
 * the proposal beside it: an agent would learn from it what exists.
 */
export async function prepareDiff(
  request: DiffRequest,
  context: DiffContext,
): Promise<PendingDiff> {
  const target = await readSide(request.path, context);
  const old = request.oldPath === request.path ? target : await readSide(request.oldPath, context);
  const unreadable = [old, target].flatMap(whyUnreadable)[0];
  return {
    request: { ...request, outsideWorkspace: !target.inside || !old.inside },
    current: old.file.kind === "text" ? wholeText(old.file) : undefined,
    ...(unreadable !== undefined && { unreadable }),
  };
}

/** The text as an agent reads it from the file: adding or removing a byte order mark is a change. */
function wholeText({ text, bom }: TextFile & { readonly kind: "text" }): string {
  return bom ? `\uFEFF${text}` : text;
}

async function readSide(path: PosixPath, { paths, documents }: DiffContext): Promise<DiffSide> {
  const { real, inside, file } = await paths.read(path);
  const document = inside ? documents.get(real) : undefined;
  const isUnsaved = file.kind === "text" && document !== undefined && isDirty(document);
  return { path, inside, file: isUnsaved ? { ...file, text: document.text } : file };
}

function whyUnreadable({ path, file }: DiffSide): readonly string[] {
  return file.kind === "refused" ? [`${path} ${file.why}`] : [];
}
