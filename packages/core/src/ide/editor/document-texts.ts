import { ToolFailure } from "../../errors.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { Files } from "./files.ts";

/** Text that is typed and not saved. */
interface UnsavedText {
  readonly text: string;
  /** The file has another text than was typed over: only the person can decide between them. */
  readonly isStale: boolean;
}

/** The texts of an editor's documents: what is typed, over what is saved. */
export class DocumentTexts {
  readonly #files: Files;
  readonly #unsaved = new Map<PosixPath, UnsavedText>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Unsaved text first; undefined when there is none. */
  of(path: PosixPath): string | undefined {
    return this.unsaved(path)?.text ?? this.saved(path);
  }

  unsaved(path: PosixPath): UnsavedText | undefined {
    return this.#unsaved.get(path);
  }

  saved(path: PosixPath): string | undefined {
    return this.#files.read(path);
  }

  /** What a person can be shown: what cannot be read is reviewed all the same. */
  shown(path: PosixPath): string {
    try {
      return this.of(path) ?? "";
    } catch {
      return "";
    }
  }

  /** False when nothing was typed, or it is what is there. */
  type(path: PosixPath, text: string, over: string | undefined): boolean {
    const current = this.of(path);
    const before = this.unsaved(path);
    const isOvertaken = over !== undefined && before === undefined && over !== current;
    if (text === current || (isOvertaken && text === over)) return false;
    this.#unsaved.set(path, { text, isStale: isOvertaken || before?.isStale === true });
    return true;
  }

  /** Lets unsaved text win over what is saved. */
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

/** @throws ToolFailure when there is none */
export function demandText(path: PosixPath, text: string | undefined): string {
  if (text !== undefined) return text;
  throw new ToolFailure(`${path}: there is no such file`);
}
