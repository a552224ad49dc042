import { constants } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";

/**
 * Copies an unreadable settings file beside itself, never over another file. An existing copy
 * is reused.
 * @param path native path
 * @returns the path of the copy; undefined if there is no settings file
 */
export async function keepAside(path: string): Promise<string | undefined> {
  const data = await readIfExists(path);
  if (data === undefined) return undefined;
  for (let count = 1; ; count += 1) {
    const number = count === 1 ? "" : `-${count}`;
    const aside = path.replace(/\.json$/, `.unreadable${number}.json`);
    const known = await readIfExists(aside);
    if (known?.equals(data) === true) return aside;
    if (known !== undefined) continue;
    await copyFile(path, aside, constants.COPYFILE_EXCL);
    return aside;
  }
}

async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
