import { readdir, realpath } from "node:fs/promises";
import { type PosixPath, toNativePath } from "@idewire/core";
import type { Plugin, Vault } from "obsidian";
import { platform, type VaultPaths } from "./vault-paths.ts";

export interface VaultLinksParts {
  readonly vault: Pick<Vault, "getAllFolders" | "on">;
  readonly paths: VaultPaths;
  /** A link has come, or leads elsewhere. */
  readonly onChange: () => void;
}

/** Knows where links inside the vault lead: Obsidian shows what is behind them under their names. */
export class VaultLinks {
  readonly #parts: VaultLinksParts;
  /** By path in the vault. */
  readonly #targets = new Map<string, PosixPath>();
  #known: Promise<unknown> | undefined;

  constructor(parts: VaultLinksParts) {
    this.#parts = parts;
  }

  /** Keeps an eye on what comes, goes and moves; once the app is laid out. */
  watch(plugin: Pick<Plugin, "registerEvent">): void {
    const { vault } = this.#parts;
    for (const event of ["create", "modify", "rename"] as const) {
      const look = ({ path }: { path: string }) => void this.#look(path).then(this.#parts.onChange);
      plugin.registerEvent(vault.on(event as "create", look));
    }
    plugin.registerEvent(vault.on("delete", ({ path }) => this.#targets.delete(path)));
  }

  /** Settles when the links that were there at first are known. */
  known(): Promise<unknown> {
    const { vault } = this.#parts;
    this.#known ??= Promise.all(vault.getAllFolders(true).map(({ path }) => this.#lookInto(path)));
    return this.#known;
  }

  /** Where a path of the vault really is, when a link is on the way to it. */
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
