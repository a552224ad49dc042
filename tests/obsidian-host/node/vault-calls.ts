import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A file or folder of a vault: path, whether it is a folder, times and size. */
export type VaultEntry = readonly [
  path: string,
  isFolder: boolean,
  ctime: number,
  mtime: number,
  size: number,
];

/** Opens a vault as Obsidian does, in one call: lists it and reads the notes. */
export function vaultCalls(root: string): (...args: unknown[]) => unknown {
  return (name, paths) => {
    if (name === "tree") return tree(root, "");
    if (name === "read") return readMany(root, paths as string[]);
    throw new Error(`vault.${String(name)} is not in this host`);
  };
}

async function tree(root: string, folder: string): Promise<VaultEntry[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const visible = entries.filter(({ name }) => !name.startsWith("."));
  const found = await Promise.all(
    visible.map(async (entry): Promise<VaultEntry[]> => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const facts = await stat(join(root, path));
      const { ctimeMs, mtimeMs, size } = facts;
      const own: VaultEntry = [path, facts.isDirectory(), ctimeMs, mtimeMs, size];
      return facts.isDirectory() ? [own, ...(await tree(root, path))] : [own];
    }),
  );
  return found.flat();
}

async function readMany(root: string, paths: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (let at = 0; at < paths.length; at += 64) {
    const batch = paths.slice(at, at + 64).map((path) => readFile(join(root, path), "utf8"));
    texts.push(...(await Promise.all(batch)));
  }
  return texts;
}
