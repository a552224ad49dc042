import { CommentError } from "../errors.ts";
import type { CommentFiles } from "./comment-files.ts";
import type { UnreadableFile } from "./comment-requests.ts";
import { type ListedFile, toListed } from "./located-comments.ts";
import { isEqual, type SourceSurvey } from "./source-survey.ts";
import type { CommentWorkspace } from "./workspace.ts";

/** All files with comments, sorted by path, and errors for unreadable ones. */
export interface CommentedFiles {
  readonly files: readonly ListedFile[];
  readonly errors: readonly UnreadableFile[];
}

interface ReadFile {
  readonly stamp: readonly number[];
  readonly file: ListedFile;
}

/**
 * Files read concurrently: enough for asynchronous reads to overlap, and few enough to limit the memory for whole
 * files.
 */
const filesAtOnce = 8;

/** The comments of all files; unchanged files are not read again. */
export class CommentList {
  readonly #workspace: CommentWorkspace;
  readonly #files: CommentFiles;
  #known: ReadonlyMap<string, ReadFile> = new Map();

  constructor(workspace: CommentWorkspace, files: CommentFiles) {
    this.#workspace = workspace;
    this.#files = files;
  }

  async all(): Promise<CommentedFiles> {
    const listing = this.#workspace.list();
    // Runs while the disk lists the files.
    const known = this.#asBefore();
    this.#known = known;
    const paths = await listing;
    const unread = paths.filter((path) => !known.has(path));
    const results = await this.#readAll(unread, known);
    const files: ListedFile[] = [];
    const errors: UnreadableFile[] = [];
    for (const path of paths) {
      const result = results.get(path) ?? known.get(path)?.file;
      if (result === undefined) continue;
      if ("error" in result) errors.push(result);
      else files.push(result);
    }
    return { files, errors };
  }

  /** The unchanged files. */
  #asBefore(): Map<string, ReadFile> {
    const asBefore = new Map<string, ReadFile>();
    for (const [path, read] of this.#known) {
      const stamp = this.#workspace.stamp?.(path);
      if (stamp !== undefined && isEqual(stamp, read.stamp)) asBefore.set(path, read);
    }
    return asBefore;
  }

  /** Reads files, and caches those with stamps. */
  async #readAll(
    paths: readonly string[],
    known: Map<string, ReadFile>,
  ): Promise<ReadonlyMap<string, ListedFile | UnreadableFile>> {
    const results = new Map<string, ListedFile | UnreadableFile>();
    const survey = this.#files.survey();
    const read = async (path: string) => {
      // Taken before reading, so that a change during the read gives a different stamp.
      const stamp = this.#workspace.stamp?.(path);
      const result = await this.#read(path, survey);
      results.set(path, result);
      if (stamp !== undefined && !("error" in result)) known.set(path, { stamp, file: result });
    };
    for (let from = 0; from < paths.length; from += filesAtOnce) {
      await Promise.all(paths.slice(from, from + filesAtOnce).map(read));
    }
    return results;
  }

  async #read(filePath: string, survey: SourceSurvey): Promise<ListedFile | UnreadableFile> {
    try {
      return toListed(await this.#files.read(filePath, false, survey));
    } catch (error) {
      if (!(error instanceof CommentError)) throw error;
      return { filePath, error };
    }
  }
}
