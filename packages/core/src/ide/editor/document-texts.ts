import { ToolFailure } from "../../errors.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import { describePath } from "../../text/describe-value.ts";
import { mergeTyped } from "../../text/merge-typed.ts";
import type { EditOptions } from "./editor-command.ts";
import type { Files } from "./files.ts";

/** Unsaved text of a document. */
interface UnsavedText {
  readonly text: string;
  /**
   * Whether the file differs from the text that the person typed over, so that only they can
   * decide.
   */
  readonly isStale: boolean;
}

/** The texts of an editor's documents: unsaved text over that of the files. */
export class DocumentTexts {
  readonly #files: Files;
  readonly #unsaved = new Map<PosixPath, UnsavedText>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** The unsaved text or else that of the file; undefined when there is neither. */
  of(path: PosixPath): string | undefined {
    return this.unsaved(path)?.text ?? this.saved(path);
  }

  unsaved(path: PosixPath): UnsavedText | undefined {
    return this.#unsaved.get(path);
  }

  saved(path: PosixPath): string | undefined {
    return this.#files.read(path);
  }

  /**
   * The text to show to the person; empty for a file that cannot be read, which can be reviewed
   * too.
   */
  shown(path: PosixPath): string {
    try {
      return this.of(path) ?? "";
    } catch {
      return "";
    }
  }

  /**
   * Sets the unsaved text, merged with unsaved text that is newer than the base of the typed one, unless it
   * restores what another frontend has restored.
   * @returns the text; undefined when it does not change anything
   */
  type(path: PosixPath, typed: string, { over, restores }: EditOptions): string | undefined {
    const current = this.of(path);
    const before = this.unsaved(path);
    if (restores === true && before !== undefined) return undefined;
    const text =
      over === undefined || before === undefined ? typed : mergeTyped(over, typed, before.text);
    const isOvertaken = over !== undefined && before === undefined && over !== current;
    if (text === current || (isOvertaken && text === over)) return undefined;
    this.#unsaved.set(path, { text, isStale: isOvertaken || before?.isStale === true });
    return text;
  }

  /** Keeps unsaved text although the file has changed. */
  keep(path: PosixPath): void {
    const unsaved = this.unsaved(path);
    if (unsaved !== undefined) this.#unsaved.set(path, { ...unsaved, isStale: false });
  }

  discard(path: PosixPath): void {
    this.#unsaved.delete(path);
  }

  write(path: PosixPath, text: string): void {
    this.#files.write(path, text);
  }
}

/** @throws ToolFailure when the file does not exist */
export function demandText(path: PosixPath, text: string | undefined): string {
  if (text !== undefined) return text;
  throw new ToolFailure(`${describePath(path)}: there is no such file`);
}
