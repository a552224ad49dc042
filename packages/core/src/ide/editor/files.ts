import type { PosixPath } from "../../paths/posix-path.ts";

/** Synchronous access to saved texts, so that an editor's actions keep their order. */
export interface Files {
  /**
   * The text of a file; undefined when it does not exist.
   * @throws ToolFailure when it must not be read
   */
  read(path: PosixPath): string | undefined;
  write(path: PosixPath, text: string): void;
}

/** Creates files in memory. */
export function inMemoryFiles(): Files {
  const texts = new Map<PosixPath, string>();
  return { read: (path) => texts.get(path), write: (path, text) => void texts.set(path, text) };
}
