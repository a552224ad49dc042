import { realpath } from "node:fs/promises";
import {
  isInside,
  type Platform,
  type PosixPath,
  ToolFailure,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import { type TextFile, WorkspacePaths } from "@idewire/node-server";

/** How this machine writes its paths. */
export const platform: Platform = process.platform === "win32" ? "windows" : "posix";

/** Translates between the paths of agents, which are absolute, and those of the vault. */
export interface VaultPaths {
  /** The vault's folder, with all symbolic links followed. */
  readonly root: PosixPath;
  /** The vault's folder as Obsidian opened it; the same as `root` but for a link. */
  readonly openedAs: PosixPath;
  /** As Obsidian writes it: no leading slash, `""` for the vault itself; undefined outside. */
  toVault(path: PosixPath): string | undefined;
  toAbsolute(vaultPath: string): PosixPath;
  /** Reads a path of this machine; undefined when it is not absolute. */
  fromNative(native: string): PosixPath | undefined;
  /**
   * The same as `toVault`, for what will be read or shown: no link may lead it outside.
   * @throws ToolFailure when it is outside the vault
   */
  demandInside(path: PosixPath): Promise<string>;
  /**
   * Reads a file of the vault from the disk, as it is when it is opened: the adapter of Obsidian
   * follows a link that has come in the way of it since somebody looked.
   * @throws ToolFailure when it is outside the vault
   */
  read(path: PosixPath): Promise<TextFile>;
}

/** @param basePath the vault's folder as the system writes it */
export async function createVaultPaths(basePath: string): Promise<VaultPaths> {
  const openedAs = fromNative(basePath);
  // A drive may not be there just now; Obsidian itself will say so.
  const root = fromNative(await realpath(basePath).catch(() => basePath));
  const files = new WorkspacePaths(root);
  const toVault = (path: PosixPath) => {
    const base = [root, openedAs].find((folder) => isInside(folder, path, platform));
    if (base === undefined) return undefined;
    const inside = path.split("/").slice(base.split("/").filter(Boolean).length + 1);
    // As Obsidian holds its paths.
    return inside.join("/").normalize("NFC");
  };
  return {
    root,
    openedAs,
    toVault,
    fromNative(native) {
      const path = toPosixPath(native, platform);
      return path.ok ? path.value : undefined;
    },
    toAbsolute: (vaultPath) => (vaultPath === "" ? root : (`${root}/${vaultPath}` as PosixPath)),
    async read(path) {
      const { file } = await files.readInside(path);
      return file;
    },
    async demandInside(path) {
      const vaultPath = toVault(path);
      const real = await realpath(toNativePath(path, platform)).catch(() => undefined);
      const isLed = real !== undefined && !isInside(root, fromNative(real), platform);
      if (vaultPath !== undefined && !isLed) return vaultPath;
      throw new ToolFailure(`${path} is outside the vault ${root}, or a link leads it there`);
    },
  };
}

function fromNative(native: string): PosixPath {
  const path = toPosixPath(native, platform);
  if (!path.ok) throw new Error(path.issue);
  return path.value;
}
