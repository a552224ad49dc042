import { readFile, writeFile } from "node:fs/promises";
import { fileSystemError } from "@idewire/node-server/internal/files";

/**
 * The text of a file named by the person.
 * @throws IdewireError `file-system`
 */
export async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw fileSystemError("read", file, error);
  }
}

/**
 * Writes a file named by the person.
 * @throws IdewireError `file-system`
 */
export async function writeNamed(file: string, content: string | Uint8Array): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw fileSystemError("write", file, error);
  }
}
