import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** The limits of the file. */
export interface TextFileLimit {
  readonly maxBytes: number;
  /** The expected content, such as `a scenario`. */
  readonly what: string;
}

/**
 * Reads a file named by the person.
 * @param file native
 * @returns its text, or why it cannot be read
 */
export async function readTextFile(
  file: string,
  { maxBytes, what }: TextFileLimit,
): Promise<string | { readonly fault: string }> {
  try {
    // Does not wait for the writer of a pipe.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return { fault: "expected a file of JSON lines" };
      if (facts.size > maxBytes) return { fault: `expected ${what}, got ${facts.size} bytes` };
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { fault: code === "ENOENT" ? "there is no such file" : message };
  }
}
