import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeFolder } from "../../src/remove-folder.ts";
import { pluginArtefacts } from "./artefact.ts";

export type VaultFiles = Readonly<Record<string, string | Uint8Array>>;

export interface TestVaultOptions {
  readonly vaultName?: string | undefined;
  readonly vaultFiles?: VaultFiles | undefined;
  /** An existing home, for a person's second vault. */
  readonly home?: string | undefined;
  /** Whether the vault is reached by a symbolic link. */
  readonly linked?: boolean | undefined;
  /** The vault of another window, for a second one on it. */
  readonly sameAs?: TestVault | undefined;
}

/** A throw-away home with a vault in it. */
export interface TestVault {
  readonly root: string;
  readonly home: string;
  /** The vault's real path. */
  readonly vault: string;
  /** The path passed to the app: that of the link, if there is one. */
  readonly vaultAsOpened: string;
  write(path: string, data: string | Uint8Array): string;
  remove(): Promise<void>;
}

export function createTestVault(options: TestVaultOptions): TestVault {
  if (options.sameAs !== undefined) return { ...options.sameAs, remove: async () => {} };
  const root = realpathSync(mkdtempSync(join(tmpdir(), "idewire-vault-")));
  const home = options.home ?? join(root, "home");
  const vault = join(root, options.vaultName ?? "Vault");
  for (const folder of [home, vault]) mkdirSync(folder, { recursive: true });
  const write = (path: string, data: string | Uint8Array) => {
    const full = join(vault, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, data);
    return full;
  };
  for (const [path, data] of Object.entries(options.vaultFiles ?? {})) write(path, data);
  const link = join(root, "link to vault");
  if (options.linked === true) symlinkSync(vault, link);
  return {
    ...{ root, home, vault, write },
    vaultAsOpened: options.linked === true ? link : vault,
    remove: () => removeFolder(root),
  };
}

/** Installs the built plugin as a person does by hand: three files in a folder. */
export function installPlugin(place: TestVault, settings: object | undefined): void {
  const folder = join(place.vault, ".obsidian/plugins/idewire");
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(pluginArtefacts())) cpSync(path, join(folder, name));
  if (settings !== undefined) writeFileSync(join(folder, "data.json"), JSON.stringify(settings));
}

/** An idle process: gives each window of the app a process id of its own that can end. */
export interface StandIn {
  readonly pid: number;
  kill(): Promise<void>;
}

export function startStandIn(): StandIn {
  // It blocks on stdin, and so ends with its parent.
  const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    pid: child.pid ?? 0,
    kill: () => {
      child.kill("SIGKILL");
      return gone;
    },
  };
}
