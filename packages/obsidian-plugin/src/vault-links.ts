import { readdir, realpath } from "node:fs/promises";
import { type PosixPath, toNativePath } from "@idewire/core";
import type { Plugin, Vault } from "obsidian";
import { platform, type VaultPaths } from "./vault-paths.ts";

export interface VaultLinksParts {
  readonly vault: Pick<Vault, "getAllFolders" | "on">;
  readonly paths: VaultPaths;
  /** Called when a link was created or leads elsewhere. */
  readonly onChange: () => void;
}

/** Resolves symbolic links in the vault, which Obsidian shows as ordinary files and folders. */
export class VaultLinks {
  readonly #parts: VaultLinksParts;
  /** By path in the vault. */
  readonly #targets = new Map<string, PosixPath>();
  #known: Promise<unknown> | undefined;

  constructor(parts: VaultLinksParts) {
    this.#parts = parts;
  }

  /** Follows created, deleted and moved files; call it when the layout is ready. */
  watch(plugin: Pick<Plugin, "registerEvent">): void {
    const { vault } = this.#parts;
    for (const event of ["create", "modify", "rename"] as const) {
      const look = ({ path }: { path: string }) => void this.#look(path).then(this.#parts.onChange);
      plugin.registerEvent(vault.on(event as "create", look));
    }
    plugin.registerEvent(vault.on("delete", ({ path }) => this.#targets.delete(path)));
  }

  /** Settles when all links that exist at the first call are resolved. */
  known(): Promise<unknown> {
    const { vault } = this.#parts;
    this.#known ??= Promise.all(vault.getAllFolders(true).map(({ path }) => this.#lookInto(path)));
    return this.#known;
  }

  /** The real path of a vault path that leads through a link; otherwise undefined. */
  realPathOf(vaultPath: string): PosixPath | undefined {
    for (let end = vaultPath.length; end > 0; end = vaultPath.lastIndexOf("/", end - 1)) {
      const target = this.#targets.get(vaultPath.slice(0, end));
      if (target !== undefined) return `${target}${vaultPath.slice(end)}` as PosixPath;
    }
    return undefined;
  }

  async #lookInto(folder: string): Promise<void> {
    const base = folder === "/" ? "" : folder;
    const entries = await readdir(this.#native(base), { withFileTypes: true }).catch(() => []);
    const links = entries.filter((entry) => entry.isSymbolicLink());
    const prefix = base && `${base}/`;
    await Promise.all(links.map(({ name }) => this.#look(`${prefix}${name.normalize("NFC")}`)));
  }

  async #look(vaultPath: string): Promise<void> {
    const { paths } = this.#parts;
    const native = await realpath(this.#native(vaultPath)).catch(() => "");
    const real = paths.fromNative(native);
    if (real === undefined || paths.toVault(real) === vaultPath) this.#targets.delete(vaultPath);
    else this.#targets.set(vaultPath, real);
  }

  #native(vaultPath: string): string {
    return toNativePath(this.#parts.paths.toAbsolute(vaultPath), platform);
  }
}
