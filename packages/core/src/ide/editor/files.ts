import type { PosixPath } from "../../paths/posix-path.ts";

/** The texts that are saved. They are had at once, so that what an editor does keeps its order. */
export interface Files {
  /**
   * The text of a file; undefined when there is none.
   * @throws ToolFailure when it may not be read
   */
  read(path: PosixPath): string | undefined;
  write(path: PosixPath, text: string): void;
}

/** Files where there is no disk. */
export function inMemoryFiles(): Files {
  const texts = new Map<PosixPath, string>();
  return { read: (path) => texts.get(path), write: (path, text) => void texts.set(path, text) };
}
