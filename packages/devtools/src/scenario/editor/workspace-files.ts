/** The files of a scenario's workspace, by paths relative to it with `/` between names. */
export interface WorkspaceFiles {
  /** The text of a file; undefined when there is none. */
  read(filePath: string): string | undefined;
  /** Writes a file, and makes the folders that it needs. */
  write(filePath: string, text: string): void;
}

/** Files in memory: where there is no disk, and an agent that runs in the same program. */
export function memoryFiles(files: Readonly<Record<string, string>> = {}): WorkspaceFiles {
  const texts = new Map(Object.entries(files));
  return {
    read: (filePath) => texts.get(filePath),
    write: (filePath, text) => void texts.set(filePath, text),
  };
}
