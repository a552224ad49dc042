/**
 * Where sources and their comments are. Paths are relative to the workspace, POSIX, normalised, and have
 * been judged by their names.
 */
export interface CommentWorkspace {
  /**
   * The text of a source; undefined where there is no such file.
   * @throws CommentError `FileAccessDenied` for a path that leads out of the workspace
   */
  readSource(path: string): Promise<string | undefined>;
  /**
   * The text of a source's `.comments` file; undefined where it has none.
   * @throws CommentError `FileAccessDenied`
   */
  readComments(path: string): Promise<string | undefined>;
  /**
   * Numbers of which one is another as soon as a source or its comments may be others, told without reading
   * them; undefined where that cannot be known. A workspace that shows another text than this one, such as
   * what is not saved yet, has a `stamp` of its own or none.
   */
  readonly stamp?: ((path: string) => readonly number[] | undefined) | undefined;
  /**
   * Changes `.comments` files while nobody else does, in this process or another.
   * @param paths of the sources; `change` may read and write the comments of these alone
   * @throws CommentError `FileAccessDenied` when another process does not let go in time, or the disk
   * refuses; then nothing has changed
   */
  update<T>(paths: readonly string[], change: (files: LockedFiles) => Promise<T>): Promise<T>;
  /** The sources that have comments, sorted. */
  list(): Promise<readonly string[]>;
  /** Sources with one of the extensions, with or without comments: where code may have gone. */
  findSources(extensions: readonly string[]): Promise<readonly string[]>;
}

/** The `.comments` files of an update. */
export interface LockedFiles {
  read(path: string): Promise<string | undefined>;
  /** Writes the whole file, or removes it; it is on the disk when the promise resolves. */
  write(path: string, text: string | undefined): Promise<void>;
  /** Keeps the file as it is under another name, before it is written in another format. */
  backup(path: string): Promise<void>;
}
