import { constants, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** More than the size of the files that we look for. */
const MAX_BYTES = 1 << 20;

interface ReadOptions {
  readonly maxBytes?: number;
  /** Throws if the opened file must not be read. */
  readonly inspect?: (facts: Stats) => void;
}

/**
 * Reads a file that others may have created in place of one of ours: a pipe or a device is refused immediately,
 * and so is a file that is too large.
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
