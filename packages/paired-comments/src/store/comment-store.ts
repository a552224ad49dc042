import type { FunctionComplexity } from "../anchors/syntax/function-complexity.ts";
import { CommentError } from "../errors.ts";
import { demandText } from "../format/comment-text.ts";
import type { CommentsDocument, PairedComment } from "../format/document.ts";
import { type MergedDocument, mergeDocuments } from "../merge/merge-documents.ts";
import { type ConflictSides, splitConflict } from "../merge/split-conflict.ts";
import { anchorNameAt } from "./anchor-name.ts";
import { type ChangedCode, changedCode, type EarlierFile } from "./changed-code.ts";
import {
  type Changed,
  CommentFiles,
  type CommentFilesOptions,
  type OpenedFile,
} from "./comment-files.ts";
import { type CommentedFiles, CommentList } from "./comment-list.ts";
import type {
  CommentChange,
  NewComment,
  NewReply,
  PlacedComment,
  UnreadableFile,
} from "./comment-requests.ts";
import { type DisplacedComment, displacedComments } from "./displaced-comments.ts";
import {
  documentOf,
  endLineOf,
  findComment,
  mergeSides,
  noConflict,
  withComment,
  without,
} from "./document-changes.ts";
import { withCandidatesElsewhere } from "./elsewhere.ts";
import { lineOfQuote } from "./line-of-quote.ts";
import type { LocatedFile } from "./located-comments.ts";
import { type MovedComment, type MoveTarget, moveComment } from "./move-comment.ts";
import { newCommentId, newMarker, newReply, placed } from "./new-parts.ts";
import { parseSourcePath } from "./source-path.ts";

export type CommentStoreOptions = CommentFilesOptions;

/** Reads, finds and changes the comments of a workspace. Needs no `close`. */
export class CommentStore {
  readonly #options: CommentStoreOptions;
  readonly #files: CommentFiles;
  readonly #list: CommentList;

  constructor(options: CommentStoreOptions) {
    this.#options = options;
    this.#files = new CommentFiles(options);
    this.#list = new CommentList(options.workspace, this.#files);
  }

  /**
   * The comments of a source at their current places; empty for a source without comments.
   * @throws CommentError `FileNotFound` if there is neither a source nor comments; `CommentFileCorrupted`
   */
  file(path: string): Promise<LocatedFile> {
    return this.#files.read(path);
  }

  /** The functions of a source, in source order; empty without a grammar of its language. */
  functions(path: string, source: string): Promise<readonly FunctionComplexity[]> {
    return this.#options.reader.functions(parseSourcePath(path), source);
  }

  /**
   * As `file`, with candidates in other files for orphans.
   * @param among whether a source may contain candidates; all by default
   */
  async fileWithCandidates(
    path: string,
    among?: (filePath: string) => boolean,
  ): Promise<LocatedFile> {
    const { workspace, reader } = this.#options;
    return withCandidatesElsewhere(await this.file(path), { workspace, reader, among });
  }

  /** The sources that have comments, sorted. */
  list(): Promise<readonly string[]> {
    return this.#options.workspace.list();
  }

  /** All files with comments, sorted by path, and errors for unreadable ones. */
  all(): Promise<CommentedFiles> {
    return this.#list.all();
  }

  /**
   * The same files one at a time, each with its source.
   * @param onUnreadable called for files that cannot be read
   */
  async *each(onUnreadable: (file: UnreadableFile) => void): AsyncGenerator<LocatedFile, void> {
    for (const filePath of await this.list()) {
      try {
        yield await this.file(filePath);
      } catch (error) {
        if (!(error instanceof CommentError)) throw error;
        onUnreadable({ filePath, error });
      }
    }
  }

  /**
   * Adds a comment of 1 to 10,000 characters.
   * @throws CommentError `FileNotFound`, `InvalidLineNumber`, `CommentFileCorrupted`; IdewireError
   * `invalid-argument` for a blank or longer text
   */
  async add(wanted: NewComment): Promise<PlacedComment> {
    demandText(wanted.text);
    const { proposed } = wanted;
    const act = ({ filePath, document, tree }: OpenedFile): Changed<PlacedComment> => {
      const line = lineOfQuote(tree.lines, wanted);
      const endLine = endLineOf(wanted, line, tree.lines.length);
      const now = this.#files.now();
      const time = new Date(now).toISOString();
      const { text, tag, author, aiMeta } = wanted;
      const comment: PairedComment = {
        id: newCommentId(document, now),
        text,
        tag,
        author,
        created: time,
        updated: time,
        ...(aiMeta === undefined ? {} : { aiMeta: { ...aiMeta, enrichedAt: time } }),
        unknown: {},
      };
      const marker = newMarker(document, comment, { tree, nowMs: now, line, endLine });
      const changed = withComment(document, comment, marker);
      return { changed, result: placed(filePath, comment, marker, tree) };
    };
    return this.#files.change(wanted.filePath, act, proposed);
  }

  /**
   * Changes a comment.
   * @param change the changed fields, or a function of the current comment that returns them
   * @throws CommentError `CommentNotFound`; IdewireError `invalid-argument` for the same texts as `add`
   */
  edit(
    path: string,
    id: string,
    change: CommentChange | ((comment: PairedComment) => CommentChange),
  ): Promise<PlacedComment> {
    return this.#files.change(path, async ({ filePath, document, tree, isGone }) => {
      const { comment, marker } = findComment(document, filePath, id);
      const updated = new Date(this.#files.now()).toISOString();
      const changes = typeof change === "function" ? change(comment) : change;
      if (changes.text !== undefined) demandText(changes.text);
      const edited: PairedComment = { ...comment, ...changes, updated };
      const changed = withComment(document, edited, marker);
      const anchor = isGone ? undefined : anchorNameAt(tree, marker.line);
      return { changed, result: { filePath, comment: edited, marker, anchor } };
    });
  }

  /**
   * Adds a reply to a comment.
   * @throws CommentError `CommentNotFound`; IdewireError `invalid-argument` for the same texts as `add`
   */
  async reply(path: string, id: string, reply: NewReply): Promise<PlacedComment> {
    demandText(reply.text);
    return this.edit(path, id, ({ replies = [] }) => ({
      replies: [...replies, newReply(replies, reply, this.#files.now())],
    }));
  }

  /** @throws CommentError `CommentNotFound` */
  remove(path: string, id: string): Promise<PlacedComment> {
    return this.#files.change(path, async ({ filePath, document }) => {
      const { comment, marker } = findComment(document, filePath, id);
      const changed = without(document, comment.id);
      return { changed, result: { filePath, comment, marker, anchor: undefined } };
    });
  }

  /**
   * Moves a comment to another line or file. If its id is taken in the other file, it gets a new one.
   * @returns the old and the new place
   * @throws CommentError `CommentNotFound`, `FileNotFound`, `InvalidLineNumber`
   */
  move(path: string, id: string, target: MoveTarget): Promise<MovedComment> {
    const { workspace } = this.#options;
    return moveComment({ store: this.#files, workspace }, { path, id, target });
  }

  /**
   * Converts a file of another program, or of an older version, to the current format, after a backup.
   * @returns whether a conversion was needed
   */
  async migrate(path: string): Promise<boolean> {
    const { isForeign } = await this.file(path);
    if (isForeign) await this.settle(path);
    return isForeign;
  }

  /**
   * Adds comments from elsewhere, such as an export. If a comment exists already, the later version is kept; a
   * different comment with the same id gets a new one.
   */
  async include(document: CommentsDocument): Promise<MergedDocument> {
    return this.#files.change(document.filePath, async (opened) => {
      const ours = opened.document;
      const theirs = await this.#anchored(document, opened.source);
      const result = mergeDocuments({ ours, theirs, clash: "later", nowMs: this.#files.now() });
      return { changed: result.document, result };
    });
  }

  /**
   * Merges the sides of a file with a git conflict.
   * @param sides the complete versions in git; by default those in the file, where git has already merged lines
   * @throws CommentError `CommentFileCorrupted` without a conflict, or if a side cannot be read
   */
  async mergeConflict(path: string, sides?: ConflictSides): Promise<MergedDocument> {
    const filePath = parseSourcePath(path);
    return this.#options.workspace.update([filePath], async (files) => {
      const left = splitConflict((await files.read(filePath)) ?? "");
      if (left === undefined) throw noConflict(filePath);
      const merged = mergeSides(sides ?? left, filePath, this.#files.now());
      await this.#files.write({ filePath, isForeign: false }, files, merged.document);
      return merged;
    });
  }

  /** Unchanged comments whose code has changed since an earlier version, sorted by line. */
  async changedSince(path: string, earlier: EarlierFile): Promise<readonly ChangedCode[]> {
    const now = await this.file(path);
    const { document } = documentOf(now.filePath, earlier.comments, this.#files.now());
    const { reader } = this.#options;
    return changedCode({ before: document, source: earlier.source, now }, reader);
  }

  /**
   * A source and its comments, for later comparison; undefined without comments.
   * @throws CommentError `FileAccessDenied`
   */
  async snapshot(path: string): Promise<EarlierFile | undefined> {
    const filePath = parseSourcePath(path);
    const { workspace } = this.#options;
    const source = await workspace.readSource(filePath);
    const comments = await workspace.readComments(filePath);
    return source === undefined || comments === undefined ? undefined : { source, comments };
  }

  /**
   * Comments whose code was removed or moved since an earlier version, sorted by line.
   * @param among whether a source may contain candidates; all by default
   */
  async displacedSince(
    path: string,
    earlier: EarlierFile,
    among?: (filePath: string) => boolean,
  ): Promise<readonly DisplacedComment[]> {
    const now = await this.fileWithCandidates(path, among);
    if (now.source === earlier.source) return [];
    const { document } = documentOf(now.filePath, earlier.comments, this.#files.now());
    const tree = await this.#options.reader.read(now.filePath, earlier.source);
    return displacedComments(document, tree, now);
  }

  /** Writes the current places, from which later changes are followed. */
  async settle(path: string): Promise<void> {
    await this.#files.change(path, async ({ document }) => ({
      changed: document,
      result: undefined,
    }));
  }

  async #anchored(
    document: CommentsDocument,
    source: string | undefined,
  ): Promise<CommentsDocument> {
    const located = await this.#files.locate(document, source);
    return (await this.#files.anchored(located)).document;
  }
}
