import type { DiffRequest, PosixPath } from "@idewire/core";
import { describeLostBytes } from "@idewire/core/internal";
import { describePath } from "@idewire/core/internal/base";
import type { TextFile, WorkspacePaths } from "@idewire/node-server/internal/files";
import type { PendingDiff } from "./folder-host.ts";
import { isDirty, type OpenDocuments } from "./open-documents.ts";
import { withBom } from "./save-text-file.ts";

export interface DiffContext {
  readonly paths: WorkspacePaths;
  readonly documents: OpenDocuments;
  /** Called with the real path of each file before it is read. */
  readonly onread: (file: PosixPath) => void;
}

interface DiffSide {
  readonly path: PosixPath;
  readonly inside: boolean;
  readonly file: TextFile;
}

/**
 * Reads the text that a proposal would replace. Faults of the file are shown only to the person: they would
 * reveal to an agent which files exist.
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
    ...shownText(old.file),
    ...(unreadable !== undefined && { unreadable }),
  };
}

/** The text as agents read it, with the byte order mark, whose addition or removal is a change. */
function shownText(file: TextFile): Pick<PendingDiff, "current" | "notes"> {
  if (file.kind === "text") return { current: withBom(file) };
  if (file.kind === "missing" || file.decoded === undefined) return { current: undefined };
  const lost = describeLostBytes(file.decoded.lostBytes);
  return { current: file.decoded.text, ...(lost !== undefined && { notes: [lost] }) };
}

async function readSide(path: PosixPath, context: DiffContext): Promise<DiffSide> {
  context.onread((await context.paths.locate(path)).real);
  const { real, inside, file } = await context.paths.read(path);
  const document = inside ? context.documents.get(real) : undefined;
  const isUnsaved = file.kind === "text" && document !== undefined && isDirty(document);
  return { path, inside, file: isUnsaved ? { ...file, text: document.text } : file };
}

function whyUnreadable({ path, file }: DiffSide): readonly string[] {
  return file.kind === "refused" && file.decoded === undefined
    ? [`${describePath(path)} ${file.why}`]
    : [];
}
