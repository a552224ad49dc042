import type { ChangeComment } from "@idewire/core/internal";
import { lockBeside } from "@idewire/node-server/internal/files";
import {
  CommentStore,
  type CommentsDocument,
  createTextReader,
  type LocatedFile,
  type PairedComment,
  type SourceReader,
} from "@idewire/paired-comments";
import {
  type CommentedText,
  type CommentTag,
  commentOnChange,
  commentsSuffix,
} from "@idewire/paired-comments/internal";
import { createFolderWorkspace } from "@idewire/paired-comments/node";

/** Reads and writes the comments of a vault. */
export interface VaultCommentsParts {
  /** Native path of the vault's folder. */
  readonly folder: string;
  /** Paths of all notes. */
  readonly notes: () => readonly string[];
  /** Paths of all notes that have comments. */
  readonly commented: () => readonly string[];
  /** The text of a note in its tab, where it is not saved yet. */
  readonly unsavedText: (path: string) => string | undefined;
  readonly author: () => Promise<string>;
  /** Called with the path of a note after its comments were changed here. */
  readonly onChange: (path: string) => void;
}

/** Whether a file can have comments: other files need grammars, which the plugin does not contain. */
export function isNotePath(path: string): boolean {
  return path.endsWith(".md");
}

/** The path of the note that a file of comments belongs to; undefined for other files. */
export function notePathOf(path: string): string | undefined {
  const note = path.slice(0, -commentsSuffix.length);
  return path.endsWith(commentsSuffix) && isNotePath(note) ? note : undefined;
}

/** Whether a file holds comments, or is the lock, a draft or a backup of one that does. */
export function isCommentsFile(path: string): boolean {
  return /\.comments(?:\.lock|\.\d+-[\da-f]{12}\.draft|\.backup-[^/]*)?$/.test(path);
}

/** The comments of the vault's notes, in files beside them. Nothing is opened before it is needed. */
export class VaultComments {
  readonly #parts: VaultCommentsParts;
  readonly #reader: SourceReader = createTextReader();
  readonly #stores = new Map<"saved" | "shown", CommentStore>();

  constructor(parts: VaultCommentsParts) {
    this.#parts = parts;
  }

  /** The comments of notes on disk, where agents write first. */
  get saved(): CommentStore {
    return this.#store("saved");
  }

  /**
   * The comments of a note, at their places in the shown text.
   * @throws CommentError
   */
  file(path: string): Promise<LocatedFile> {
    return this.#store("shown").file(path);
  }

  /** As `file`, with candidates in other notes for comments that have lost their text. */
  fileWithCandidates(path: string): Promise<LocatedFile> {
    return this.#store("shown").fileWithCandidates(path);
  }

  /** All notes with comments, and those whose comments cannot be read. */
  all(): ReturnType<CommentStore["all"]> {
    return this.#store("shown").all();
  }

  /** @throws CommentError */
  async add(wanted: {
    readonly filePath: string;
    readonly line: number;
    readonly endLine?: number | undefined;
    readonly text: string;
    readonly tag: CommentTag;
  }): Promise<string> {
    const { comment } = await this.#store("shown").add({
      ...wanted,
      author: await this.#parts.author(),
    });
    return comment.id;
  }

  /**
   * Stores comments on a proposed or written text of a note.
   * @throws CommentError
   */
  async addOnChange(
    change: Omit<CommentedText, "author">,
    comments: readonly ChangeComment[],
  ): Promise<void> {
    await commentOnChange(this.saved, { ...change, author: await this.#parts.author() }, comments);
    this.#parts.onChange(change.path);
  }

  /** @throws CommentError */
  async edit(
    path: string,
    id: string,
    change: Partial<Pick<PairedComment, "text" | "tag" | "status">>,
  ): Promise<void> {
    await this.#store("shown").edit(path, id, change);
  }

  /** @throws CommentError */
  async reply(path: string, id: string, text: string): Promise<void> {
    await this.#store("shown").reply(path, id, { text, author: await this.#parts.author() });
  }

  /** @throws CommentError */
  async move(path: string, id: string, filePath: string, line: number): Promise<void> {
    await this.#store("shown").move(path, id, { filePath, line });
  }

  /**
   * Deletes a comment.
   * @returns restores it
   * @throws CommentError
   */
  async remove(path: string, id: string): Promise<() => Promise<void>> {
    const store = this.#store("shown");
    const { document } = await store.file(path);
    const { comment, marker } = await store.remove(path, id);
    const deleted: CommentsDocument = {
      ...document,
      comments: [comment],
      // With the outline of the note, which may change before the comment is restored.
      ghostMarkers: [document.ghostMarkers.find(({ commentId }) => commentId === id) ?? marker],
      unknown: {},
    };
    return async () => void (await store.include(deleted));
  }

  /** Identifies a text of a note, as in the outline of its comments. */
  async hashOf(path: string, text: string): Promise<string> {
    return (await this.#reader.read(path, text)).hash;
  }

  #store(kind: "saved" | "shown"): CommentStore {
    const known = this.#stores.get(kind);
    if (known !== undefined) return known;
    const { folder, notes, commented, unsavedText, onChange } = this.#parts;
    const files = createFolderWorkspace({ folder, lock: lockBeside });
    const text = kind === "shown" ? unsavedText : () => undefined;
    const store = new CommentStore({
      workspace: {
        ...files,
        readSource: async (path) => text(path) ?? files.readSource(path),
        // The stamp is that of the saved text.
        stamp: (path) => (text(path) === undefined ? files.stamp?.(path) : undefined),
        readComments: async (path) => (isNotePath(path) ? files.readComments(path) : undefined),
        list: async () => commented(),
        findSources: async () => notes(),
      },
      reader: this.#reader,
      onchange: onChange,
    });
    this.#stores.set(kind, store);
    return store;
  }
}
