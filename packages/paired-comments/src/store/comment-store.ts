import type { FunctionComplexity } from "../anchors/syntax/function-complexity.ts";
import { languageOf } from "../anchors/syntax/languages.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import { CommentError } from "../errors.ts";
import type { CommentsDocument, GhostMarker, PairedComment } from "../format/document.ts";
import { commentIds, markerIds } from "../format/ids.ts";
import { type WriteOptions, writeDocument } from "../format/write-document.ts";
import { anchorNameAt } from "./anchor-name.ts";
import type { NewComment, PlacedComment, UnreadableFile } from "./comment-requests.ts";
import {
  documentOf,
  endLineOf,
  findComment,
  notFound,
  withComment,
  without,
} from "./document-changes.ts";
import { withCandidatesElsewhere } from "./elsewhere.ts";
import { lineOfQuote } from "./line-of-quote.ts";
import { locate } from "./locate.ts";
import type { LocatedFile } from "./located-comments.ts";
import { markerAt, reAnchor } from "./re-anchor.ts";
import { parseSourcePath } from "./source-path.ts";
import { TreeCache } from "./tree-cache.ts";
import type { CommentWorkspace, LockedFiles } from "./workspace.ts";

export interface CommentStoreOptions {
  readonly workspace: CommentWorkspace;
  readonly reader: SourceReader;
  /** Milliseconds since 1970; the system's by default. */
  readonly now?: () => number;
  readonly write?: WriteOptions;
  /** Called after each change of ours, with the path of the source. */
  readonly onchange?: (filePath: string) => void;
}

interface CachedFile {
  readonly comments: string;
  readonly source: string | undefined;
  readonly file: LocatedFile;
}

/** The comments of a workspace: reads, finds and changes them. It holds nothing that must be closed. */
export class CommentStore {
  readonly #options: CommentStoreOptions;
  readonly #cache = new Map<string, CachedFile>();
  readonly #trees: TreeCache;

  constructor(options: CommentStoreOptions) {
    this.#options = options;
    this.#trees = new TreeCache(options.reader);
  }

  /**
   * The comments of a source, where they are now; none for a source without comments.
   * @throws CommentError `FileNotFound` where there is neither; `CommentFileCorrupted`
   */
  async file(path: string): Promise<LocatedFile> {
    const filePath = parseSourcePath(path);
    const { workspace } = this.#options;
    const source = await workspace.readSource(filePath);
    const comments = await workspace.readComments(filePath);
    if (source === undefined && comments === undefined) throw notFound(path);
    return this.#located(filePath, source, comments);
  }

  /** The functions of a source, in its order; none where there is no grammar of its language. */
  functions(path: string, source: string): Promise<readonly FunctionComplexity[]> {
    return this.#options.reader.functions(parseSourcePath(path), source);
  }

  /** As `file`, with candidates in other files for comments that have lost their code. */
  async fileWithCandidates(path: string): Promise<LocatedFile> {
    const { workspace, reader } = this.#options;
    return withCandidatesElsewhere(await this.file(path), workspace, reader);
  }

  /** All files with comments, sorted by path, and those that cannot be read. */
  async all(): Promise<{
    readonly files: readonly LocatedFile[];
    readonly errors: readonly UnreadableFile[];
  }> {
    const files: LocatedFile[] = [];
    const errors: UnreadableFile[] = [];
    for (const filePath of await this.#options.workspace.list()) {
      try {
        files.push(await this.file(filePath));
      } catch (error) {
        if (!(error instanceof CommentError)) throw error;
        errors.push({ filePath, error });
      }
    }
    return { files, errors };
  }

  /** @throws CommentError `FileNotFound`, `InvalidLineNumber`, `CommentFileCorrupted` */
  add(wanted: NewComment): Promise<PlacedComment> {
    return this.#change(wanted.filePath, async ({ filePath, document, tree }) => {
      const line = lineOfQuote(tree.lines, wanted);
      const endLine = endLineOf(wanted, line, tree.lines.length);
      const now = this.#now();
      const time = new Date(now).toISOString();
      const { text, tag, author, aiMeta } = wanted;
      const comment: PairedComment = {
        id: commentIds(document.comments.map(({ id }) => id)).next(now),
        text,
        tag,
        author,
        created: time,
        updated: time,
        ...(aiMeta === undefined ? {} : { aiMeta: { ...aiMeta, enrichedAt: time } }),
        unknown: {},
      };
      const marker = this.#newMarker(document, comment, tree, { line, endLine });
      const changed = withComment(document, comment, marker);
      return { changed, result: placed(filePath, comment, marker, tree) };
    });
  }

  /** Changes the text, or the status. @throws CommentError `CommentNotFound` */
  edit(
    path: string,
    id: string,
    change: Partial<Pick<PairedComment, "text" | "status" | "tag" | "replies">>,
  ): Promise<PlacedComment> {
    return this.#change(path, async ({ filePath, document, tree, isGone }) => {
      const { comment, marker } = findComment(document, filePath, id);
      const updated = new Date(this.#now()).toISOString();
      const edited: PairedComment = { ...comment, ...change, updated };
      const changed = withComment(document, edited, marker);
      const anchor = isGone ? undefined : anchorNameAt(tree, marker.line);
      return { changed, result: { filePath, comment: edited, marker, anchor } };
    });
  }

  /** @throws CommentError `CommentNotFound` */
  remove(path: string, id: string): Promise<PlacedComment> {
    return this.#change(path, async ({ filePath, document }) => {
      const { comment, marker } = findComment(document, filePath, id);
      const changed = without(document, id);
      return { changed, result: { filePath, comment, marker, anchor: undefined } };
    });
  }

  /**
   * Moves a comment to another line, or to another file. Where the other file has a comment with its id,
   * it gets a new one there.
   * @returns where it was, and where it is
   * @throws CommentError `CommentNotFound`, `FileNotFound`, `InvalidLineNumber`
   */
  async move(
    path: string,
    id: string,
    target: {
      readonly filePath: string;
      readonly line: number;
      readonly quote?: string | undefined;
    },
  ): Promise<{ readonly from: PlacedComment; readonly to: PlacedComment }> {
    const sourcePath = parseSourcePath(path);
    const targetPath = parseSourcePath(target.filePath);
    const paths = [...new Set([sourcePath, targetPath])].sort();
    return this.#options.workspace.update(paths, async (files) => {
      const from = await this.#open(sourcePath, files);
      const { comment, marker } = findComment(from.document, sourcePath, id);
      const isSame = sourcePath === targetPath;
      const to = isSame ? from : await this.#open(targetPath, files);
      if (to.isGone) throw notFound(target.filePath);
      const line = lineOfQuote(to.tree.lines, { ...target, filePath: targetPath });
      const moved = this.#movedComment(comment, to.document, isSame);
      const lines = marker.endLine === undefined ? 0 : marker.endLine - marker.line;
      const endLine = lines === 0 ? undefined : Math.min(line + lines, to.tree.lines.length);
      const base = isSame ? without(to.document, id) : to.document;
      const placedMarker = isSame
        ? markerAt(marker, to.tree, { line, endLine })
        : this.#newMarker(to.document, moved, to.tree, { line, endLine });
      // The new place first: a crash between the two leaves the comment twice, not lost.
      await this.#write(targetPath, files, withComment(base, moved, placedMarker), to);
      if (!isSame) await this.#write(sourcePath, files, without(from.document, id), from);
      return {
        from: { filePath: sourcePath, comment, marker, anchor: undefined },
        to: placed(targetPath, moved, placedMarker, to.tree),
      };
    });
  }

  /** Writes the places as they are now, so that later changes are followed from here. */
  async settle(path: string): Promise<void> {
    await this.#change(path, async ({ document }) => ({ changed: document, result: undefined }));
  }

  #movedComment(comment: PairedComment, target: CommentsDocument, isSame: boolean): PairedComment {
    const now = this.#now();
    const updated = new Date(now).toISOString();
    const isTaken = !isSame && target.comments.some(({ id }) => id === comment.id);
    if (!isTaken) return { ...comment, updated };
    return { ...comment, id: commentIds(target.comments.map(({ id }) => id)).next(now), updated };
  }

  #newMarker(
    document: CommentsDocument,
    { id: commentId }: PairedComment,
    tree: UnitTree,
    range: { readonly line: number; readonly endLine?: number | undefined },
  ): GhostMarker {
    const id = markerIds(document.ghostMarkers.map((marker) => marker.id)).next(this.#now() + 1);
    const bare = { id, commentId, line: range.line, originalLine: range.line, unknown: {} };
    return markerAt(bare, tree, range);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #located(
    filePath: string,
    source: string | undefined,
    comments: string | undefined,
  ): Promise<LocatedFile> {
    if (comments === undefined) {
      const document = { filePath, comments: [], ghostMarkers: [], unknown: {} };
      return { filePath, document, comments: [], source, remarks: [], isForeign: false };
    }
    const cached = this.#cache.get(filePath);
    if (cached?.comments === comments && cached.source === source) return cached.file;
    const { document, remarks, dialect } = documentOf(filePath, comments, this.#now());
    const tree = source === undefined ? undefined : await this.#parse(document, filePath, source);
    const located = locate(document, tree);
    const isForeign = dialect !== "idewire";
    const file = { filePath, document, comments: located, source, remarks, isForeign };
    this.#cache.set(filePath, { comments, source, file });
    return file;
  }

  /** A source whose outline was made without a grammar is compared without one. */
  #parse(document: CommentsDocument, filePath: string, source: string): Promise<UnitTree> {
    const { outline } = document;
    const isText = outline?.language === "text" && languageOf(filePath) !== undefined;
    return this.#trees.read(isText ? `${filePath}.txt` : filePath, source);
  }

  async #change<T>(
    path: string,
    act: (
      opened: OpenedFile,
    ) => Promise<{ readonly changed: CommentsDocument; readonly result: T }>,
  ): Promise<T> {
    const filePath = parseSourcePath(path);
    return this.#options.workspace.update([filePath], async (files) => {
      const opened = await this.#open(filePath, files);
      const { changed, result } = await act(opened);
      await this.#write(filePath, files, changed, opened);
      return result;
    });
  }

  /** The document, anchored in the source as it is. */
  async #open(filePath: string, files: LockedFiles): Promise<OpenedFile> {
    const source = await this.#options.workspace.readSource(filePath);
    const text = await files.read(filePath);
    if (source === undefined && text === undefined) throw notFound(filePath);
    const located = await this.#located(filePath, source, text);
    const tree = await this.#trees.read(filePath, source ?? "");
    const isGone = source === undefined;
    const document = isGone ? located.document : reAnchor(located.document, located.comments, tree);
    const { isForeign } = located;
    return { filePath, document, tree, isGone, isForeign };
  }

  async #write(
    filePath: string,
    files: LockedFiles,
    document: CommentsDocument,
    { isForeign }: OpenedFile,
  ): Promise<void> {
    if (isForeign) await files.backup(filePath);
    const isEmpty = document.comments.length === 0 && Object.keys(document.unknown).length === 0;
    const text = isEmpty ? undefined : writeDocument(document, this.#options.write);
    await files.write(filePath, text);
    this.#options.onchange?.(filePath);
  }
}

interface OpenedFile {
  readonly filePath: string;
  readonly document: CommentsDocument;
  readonly tree: UnitTree;
  /** Is there no source any more? */
  readonly isGone: boolean;
  readonly isForeign: boolean;
}

function placed(
  filePath: string,
  comment: PairedComment,
  marker: GhostMarker,
  tree: UnitTree,
): PlacedComment {
  return { filePath, comment, marker, anchor: anchorNameAt(tree, marker.line) };
}
