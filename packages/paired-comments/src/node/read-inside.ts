import { closeSync, constants, fstatSync, openSync, read, readFile, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { promisify } from "node:util";
import { codeOf, denied, outside, refused } from "./refusals.ts";

const largestFile = 50 * 1024 * 1024;
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const readBytes = promisify(read);
const readToEnd = promisify(readFile);

/**
 * Where a path leads, by its deepest folder that is there.
 * @throws CommentError `FileAccessDenied` when that is outside the root
 */
export function insideOf(root: string, path: string, asked: string): string {
  const native = join(root, ...path.split("/"));
  let there = native;
  for (;;) {
    const real = realPathOf(there);
    if (real !== undefined) {
      if (real === root || real.startsWith(root + sep))
        return join(real, native.slice(there.length));
      throw outside(asked);
    }
    there = dirname(there);
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file; undefined where there is none. What was opened is judged, not what was named. Only
 * the content is waited for: a promise for each of the other calls would take most of the time of reading
 * thousands of files.
 */
export async function readInside(
  root: string,
  path: string,
  asked: string,
): Promise<string | undefined> {
  const file = openInside(insideOf(root, path, asked), asked);
  if (file === undefined) return undefined;
  try {
    const facts = fstatSync(file);
    if (facts.isDirectory()) return undefined;
    if (!facts.isFile()) throw denied(asked, new Error("It is not a regular file"));
    if (facts.size > largestFile) throw denied(asked, new Error(`It has ${facts.size} bytes`));
    demandInside(root, file, asked);
    // Some file systems do not know the size.
    return facts.size === 0 ? await readToEnd(file, "utf8") : await readText(file, facts.size);
  } finally {
    closeSync(file);
  }
}

function openInside(native: string, asked: string): number | undefined {
  try {
    return openSync(native, flags);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw code === "ELOOP" ? outside(asked) : refused(asked, error);
  }
}

/** A folder may have become a link between the look and the opening; Linux says what was opened. */
function demandInside(root: string, file: number, asked: string): void {
  const opened = realPathOf(`/proc/self/fd/${file}`);
  const isOutside = opened?.startsWith(sep) === true && !opened.startsWith(root + sep);
  if (isOutside && !opened.startsWith("/proc/")) throw outside(asked);
}

async function readText(file: number, size: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  for (let count = -1; length < size && count !== 0; length += count) {
    count = (await readBytes(file, bytes, length, size - length, null)).bytesRead;
  }
  return bytes.toString("utf8", 0, length);
}
