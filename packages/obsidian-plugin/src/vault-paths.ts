import { realpath } from "node:fs/promises";
import { isInside, type Platform, type PosixPath, toNativePath, toPosixPath } from "@idewire/core";
import { ToolFailure } from "@idewire/core/rpc";
import { type TextFile, WorkspacePaths } from "@idewire/node-server/internal/files";

/** The path style of this machine. */
export const platform: Platform = process.platform === "win32" ? "windows" : "posix";

/** Converts between absolute paths and paths in the vault. */
export interface VaultPaths {
  /** The real path of the vault's folder. */
  readonly root: PosixPath;
  /** The vault's folder as Obsidian opened it; differs from `root` if a link leads there. */
  readonly openedAs: PosixPath;
  /** The path as Obsidian writes it, without leading slash; `""` for the vault, undefined outside. */
  toVault(path: PosixPath): string | undefined;
  toAbsolute(vaultPath: string): PosixPath;
  /** Parses a native path; undefined if it is not absolute. */
  fromNative(native: string): PosixPath | undefined;
  /**
   * Like `toVault`, for files that will be read or shown.
   * @throws ToolFailure if it is outside the vault, also by a symbolic link
   */
  demandInside(path: PosixPath): Promise<string>;
  /**
   * Reads a file of the vault from disk and checks what was really opened: Obsidian's adapter would
   * follow a link that was created after the check.
   * @throws ToolFailure if it is outside the vault
   */
  read(path: PosixPath): Promise<TextFile>;
}

/** @param basePath native path of the vault's folder */
export async function createVaultPaths(basePath: string): Promise<VaultPaths> {
  const openedAs = fromNative(basePath);
  // The drive may be missing; Obsidian itself reports that.
  const root = fromNative(await realpath(basePath).catch(() => basePath));
  const files = new WorkspacePaths(root);
  const toVault = (path: PosixPath) => {
    const base = [root, openedAs].find((folder) => isInside(folder, path, platform));
    if (base === undefined) return undefined;
    const inside = path.split("/").slice(base.split("/").filter(Boolean).length + 1);
    // Obsidian normalises its paths.
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
