import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** What may be read. */
export interface TextFileLimit {
  readonly maxBytes: number;
  /** What was expected, in words: `a scenario`. */
  readonly what: string;
}

/**
 * Reads a file that a person has named.
 * @param file native
 * @returns its text, or why it is not read
 */
export async function readTextFile(
  file: string,
  { maxBytes, what }: TextFileLimit,
): Promise<string | { readonly fault: string }> {
  try {
    // A pipe without a writer is not waited for.
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
