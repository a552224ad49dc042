/**
 * Access to sources and their comments. Paths are relative to the workspace, POSIX, normalised and already
 * checked by name.
 */
export interface CommentWorkspace {
  /**
   * The text of a source; undefined if the file does not exist.
   * @throws CommentError `FileAccessDenied` for a path that leads outside the workspace
   */
  readSource(path: string): Promise<string | undefined>;
  /**
   * The text of a source's `.comments` file; undefined if there is none.
   * @throws CommentError `FileAccessDenied`
   */
  readComments(path: string): Promise<string | undefined>;
  /**
   * Numbers of which at least one differs once a source or its comments may have changed, found without reading
   * the files; undefined if unknown. A wrapper that returns other texts, such as unsaved ones, must replace or
   * remove `stamp`.
   */
  readonly stamp?: ((path: string) => readonly number[] | undefined) | undefined;
  /**
   * The new path of a source that is gone, where the history of the workspace knows it; undefined if not.
   */
  readonly renamedTo?: ((path: string) => Promise<string | undefined>) | undefined;
  /**
   * Creates the missing folders of a source that is only proposed; a workspace without folders has no such method.
   * @throws CommentError `FileAccessDenied`
   */
  readonly createFolderOf?: ((path: string) => Promise<void>) | undefined;
  /**
   * Changes `.comments` files under locks that exclude other changes, in this process or another.
   * @param paths the sources whose comments `change` may read and write
   * @throws CommentError `FileAccessDenied` if another process does not release its lock in time, or on a disk
   * error; then nothing has changed
   */
  update<T>(paths: readonly string[], change: (files: LockedFiles) => Promise<T>): Promise<T>;
  /** The sources that have comments, sorted. */
  list(): Promise<readonly string[]>;
  /** Sources with one of the extensions, with or without comments, to which code may have moved. */
  findSources(extensions: readonly string[]): Promise<readonly string[]>;
}

/** The `.comments` files of an update. */
export interface LockedFiles {
  read(path: string): Promise<string | undefined>;
  /** Writes the whole file, or removes it; it is synced to disk when the promise resolves. */
  write(path: string, text: string | undefined): Promise<void>;
  /** Copies the file to a backup name, before it is converted to another format. */
  backup(path: string): Promise<void>;
}
