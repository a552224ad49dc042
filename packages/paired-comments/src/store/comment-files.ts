import { languageOf } from "../anchors/syntax/languages.ts";
import type { SourceReader } from "../anchors/syntax/parsers.ts";
import type { UnitTree } from "../anchors/units/unit.ts";
import type { CommentsDocument } from "../format/document.ts";
import { readDocument } from "../format/read-document.ts";
import { type WriteOptions, writeDocument } from "../format/write-document.ts";
import { Recent } from "../recent.ts";
import { documentOf, leftInBoth, notFound, type ReadDocument } from "./document-changes.ts";
import { locate } from "./locate.ts";
import { locateUnchanged } from "./locate-unchanged.ts";
import type { LocatedFile } from "./located-comments.ts";
import { reAnchor } from "./re-anchor.ts";
import { RenamedFiles } from "./renamed-files.ts";
import { parseSourcePath } from "./source-path.ts";
import type { SourceSurvey } from "./source-survey.ts";
import { TreeCache } from "./tree-cache.ts";
import type { CommentWorkspace, LockedFiles } from "./workspace.ts";

export interface CommentFilesOptions {
  readonly workspace: CommentWorkspace;
  readonly reader: SourceReader;
  /** Milliseconds since 1970; the system clock by default. */
  readonly now?: () => number;
  readonly write?: WriteOptions;
  /** Called after each write, with the path of the source. */
  readonly onchange?: (filePath: string) => void;
}

/** A source and its locked comments. */
export interface OpenedFile {
  readonly filePath: string;
  /** Anchored in the current source. */
  readonly document: CommentsDocument;
  readonly tree: UnitTree;
  /** The current source; undefined if it no longer exists. */
  readonly source: string | undefined;
  /** Was the source deleted? */
  readonly isGone: boolean;
  /** Was it written by another program, or in an older format? */
  readonly isForeign: boolean;
}

/** A file and its new content. */
export interface WrittenFile {
  readonly opened: Pick<OpenedFile, "filePath" | "isForeign">;
  readonly document: CommentsDocument;
}

/** The result of a change. */
export interface Changed<T> {
  readonly changed: CommentsDocument;
  readonly result: T;
}

/** A source and its comments, which are at another path if it was renamed without them. */
interface Found {
  readonly filePath: string;
  readonly commentsPath: string;
  readonly source: string | undefined;
  readonly comments: string | undefined;
}

interface CachedFile {
  readonly comments: string;
  readonly read: ReadDocument;
  readonly source: string | undefined;
  readonly file: LocatedFile;
}

/** Reads and writes the comments of sources; caches the places of recently read ones until they change. */
export class CommentFiles {
  readonly #options: CommentFilesOptions;
  readonly #cache = new Recent<CachedFile>({ most: 64, heaviest: 4_000_000 });
  readonly #trees: TreeCache;
  readonly #renamed: RenamedFiles;

  constructor(options: CommentFilesOptions) {
    this.#options = options;
    this.#renamed = new RenamedFiles(options.workspace, options.reader);
    this.#trees = new TreeCache(options.reader);
  }

  now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** A snapshot of the sources. */
  survey(): SourceSurvey {
    return this.#renamed.survey();
  }

  /**
   * Reads the comments of a source; a renamed source is found by both names.
   * @param isKept whether to cache the result, because it is likely to be read again soon
   * @param survey snapshot of the sources, for reading many files
   * @throws CommentError `FileNotFound` if there is neither a source nor comments
   */
  async read(
    path: string,
    isKept = true,
    survey: SourceSurvey = this.survey(),
  ): Promise<LocatedFile> {
    const found = await this.#find(path, survey);
    const { filePath, commentsPath } = found;
    const file = await this.#located(found, isKept);
    if (filePath === commentsPath) return file;
    const warning = `${commentsPath} was renamed to ${filePath}; the next change moves its comments there`;
    return { ...file, warnings: [warning, ...file.warnings] };
  }

  /**
   * Changes one file under its lock.
   * @param proposed the text of a source that does not exist yet
   */
  async change<T>(
    path: string,
    act: (opened: OpenedFile) => Changed<T> | Promise<Changed<T>>,
    proposed?: string,
  ): Promise<T> {
    const { workspace } = this.#options;
    const filePath = await this.follow(path, proposed);
    if (proposed !== undefined) await workspace.createFolderOf?.(filePath);
    return workspace.update([filePath], async (files) => {
      const opened = await this.open(filePath, files, proposed);
      const { changed, result } = await act(opened);
      await this.write(opened, files, changed);
      return result;
    });
  }

  /** Moves the comments of a renamed source to its new name; resolves to that name. */
  async follow(path: string, proposed?: string): Promise<string> {
    const { filePath, commentsPath } = await this.#find(path, this.survey(), proposed);
    if (filePath === commentsPath) return filePath;
    return this.#options.workspace.update([commentsPath, filePath], async (files) => {
      const comments = await files.read(commentsPath);
      const isTaken = (await files.read(filePath)) !== undefined;
      if (comments === undefined || isTaken) return filePath;
      const source = await this.#options.workspace.readSource(filePath);
      const located = await this.#located({ filePath, source, comments });
      const { document } = await this.anchored(located);
      const left = { filePath: commentsPath, comments: [], ghostMarkers: [], unknown: {} };
      const from = { filePath: commentsPath, isForeign: located.isForeign };
      const to = { opened: { filePath, isForeign: false }, document };
      await this.writeBoth(files, to, { opened: from, document: left });
      return filePath;
    });
  }

  async #find(path: string, survey = this.survey(), proposed?: string): Promise<Found> {
    const filePath = parseSourcePath(path);
    const { workspace } = this.#options;
    const source = (await workspace.readSource(filePath)) ?? proposed;
    const comments = await workspace.readComments(filePath);
    const found = { filePath, commentsPath: filePath, source, comments };
    if (comments === undefined) {
      if (source === undefined) throw notFound(path);
      return (await this.#renamedTo(filePath, source, survey)) ?? found;
    }
    if (source !== undefined) return found;
    const { document } = documentOf(filePath, comments, this.now());
    const successor = await this.#renamed.successorOf(document, survey);
    if (successor === undefined) return found;
    return { ...found, filePath: successor, source: await workspace.readSource(successor) };
  }

  /** Finds the comments of a source under its former name. */
  async #renamedTo(
    filePath: string,
    source: string,
    survey: SourceSurvey,
  ): Promise<Found | undefined> {
    for (const commentsPath of await this.#renamed.abandoned(filePath, survey)) {
      const comments = await this.#options.workspace.readComments(commentsPath);
      const result = readDocument(comments ?? "", commentsPath, this.now());
      if (!result.ok) continue;
      if ((await this.#renamed.successorOf(result.document, survey)) !== filePath) continue;
      return { filePath, commentsPath, source, comments };
    }
    return undefined;
  }

  async open(filePath: string, files: LockedFiles, proposed?: string): Promise<OpenedFile> {
    const source = (await this.#options.workspace.readSource(filePath)) ?? proposed;
    const comments = await files.read(filePath);
    if (source === undefined && comments === undefined) throw notFound(filePath);
    const located = await this.#located({ filePath, source, comments });
    return { ...(await this.anchored(located)), isForeign: located.isForeign };
  }

  /** A document, anchored in the current source. */
  async anchored({
    filePath,
    document,
    comments,
    source,
  }: Pick<LocatedFile, "filePath" | "document" | "comments" | "source">): Promise<
    Omit<OpenedFile, "isForeign">
  > {
    const tree = await this.#trees.read(filePath, source ?? "");
    const isGone = source === undefined;
    const anchored = isGone ? document : reAnchor(document, comments, tree);
    return { filePath, document: anchored, tree, source, isGone };
  }

  /** The places of a document's comments in a source. */
  async locate(document: CommentsDocument, source: string | undefined): Promise<LocatedFile> {
    const { filePath } = document;
    const tree = source === undefined ? undefined : await this.#parse(document, filePath, source);
    const comments = locate(document, tree);
    return { filePath, document, comments, source, warnings: [], isForeign: false };
  }

  async write(
    opened: Pick<OpenedFile, "filePath" | "isForeign">,
    files: LockedFiles,
    document: CommentsDocument,
  ): Promise<void> {
    await this.#put(opened, files, document);
    this.#options.onchange?.(opened.filePath);
  }

  /** Writes without calling `onchange`. */
  async #put(
    { filePath, isForeign }: Pick<OpenedFile, "filePath" | "isForeign">,
    files: LockedFiles,
    document: CommentsDocument,
  ): Promise<void> {
    if (isForeign) await files.backup(filePath);
    const isEmpty = document.comments.length === 0 && Object.keys(document.unknown).length === 0;
    const text = isEmpty ? undefined : writeDocument(document, this.#options.write);
    await files.write(filePath, text);
  }

  /**
   * Writes the new place of comments, then the old one, so that a crash in between duplicates comments rather than
   * losing them. An error leaves both files unchanged.
   * @throws CommentError `FileAccessDenied` if this failed and the comments are in both files
   */
  async writeBoth(files: LockedFiles, to: WrittenFile, from?: WrittenFile): Promise<void> {
    const target = to.opened.filePath;
    const before = await files.read(target);
    await this.#put(to.opened, files, to.document);
    if (from !== undefined) {
      const source = from.opened.filePath;
      try {
        await this.#put(from.opened, files, from.document);
      } catch (error) {
        await files.write(target, before).catch(() => Promise.reject(leftInBoth(source, target)));
        throw error;
      }
      this.#options.onchange?.(source);
    }
    this.#options.onchange?.(target);
  }

  async #located(
    { filePath, source, comments }: Omit<Found, "commentsPath">,
    isKept = true,
  ): Promise<LocatedFile> {
    if (comments === undefined) {
      const document = { filePath, comments: [], ghostMarkers: [], unknown: {} };
      return { filePath, document, comments: [], source, warnings: [], isForeign: false };
    }
    const cached = this.#cache.get(filePath);
    const isSameDocument = cached?.comments === comments;
    if (isSameDocument && cached.source === source) return cached.file;
    const read = isSameDocument ? cached.read : documentOf(filePath, comments, this.now());
    const { document, warnings } = read;
    const isForeign = read.dialect !== "idewire";
    const known = isForeign || source === undefined ? undefined : locateUnchanged(document, source);
    const located = known ?? (await this.locate(document, source)).comments;
    const file = { filePath, document, comments: located, source, warnings, isForeign };
    const size = comments.length + (source?.length ?? 0);
    if (isKept) this.#cache.set(filePath, { comments, read, source, file }, size);
    return file;
  }

  /** Parses a source with a grammar only if its outline was made with one. */
  #parse(document: CommentsDocument, filePath: string, source: string): Promise<UnitTree> {
    const { outline } = document;
    const isText = outline?.language === "text" && languageOf(filePath) !== undefined;
    return this.#trees.read(isText ? `${filePath}.txt` : filePath, source);
  }
}
