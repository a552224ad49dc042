/** The files of a scenario's workspace, by paths relative to it with `/` between names. */
export interface WorkspaceFiles {
  /** The text of a file; undefined when there is none. */
  read(filePath: string): string | undefined;
  /** Writes a file, creating its folders. */
  write(filePath: string, text: string): void;
}

/** Files in memory, for agents that run in the same program. */
export function memoryFiles(files: Readonly<Record<string, string>> = {}): WorkspaceFiles {
  const texts = new Map(Object.entries(files));
  return {
    read: (filePath) => texts.get(filePath),
    write: (filePath, text) => void texts.set(filePath, text),
  };
}
