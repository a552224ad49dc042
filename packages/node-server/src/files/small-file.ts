import { constants, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** Hardly a file that we look for is larger. */
const MAX_BYTES = 1 << 20;

interface ReadOptions {
  readonly maxBytes?: number;
  /** Throws when the file that was opened is not to be read. */
  readonly inspect?: (facts: Stats) => void;
}

/**
 * Reads a file that others may have put where one of ours is expected: a pipe or a device is refused
 * at once instead of waited for, and so is what is too large.
 * @throws Error as the system does, or with the code `EINVAL` or `EFBIG`
 */
export async function readSmallFile(
  path: string,
  { maxBytes = MAX_BYTES, inspect }: ReadOptions = {},
): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await file.stat();
    if (!facts.isFile())
      throw Object.assign(new Error("It is not a regular file"), { code: "EINVAL" });
    if (facts.size > maxBytes) throw Object.assign(new Error("It is too large"), { code: "EFBIG" });
    inspect?.(facts);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
