import { ToolFailure } from "@idewire/core";
import type { App, TFile } from "obsidian";
import type { FindExclusion } from "../privacy/exclusions.ts";
import type { VaultPaths } from "../vault-paths.ts";

/** What the tools of the vault work with. */
export interface VaultToolParts {
  readonly app: App;
  readonly paths: VaultPaths;
  readonly findExclusion: FindExclusion;
}

/**
 * The path that an agent means: absolute, or relative to the vault.
 * @throws ToolFailure when it is outside the vault
 */
export function readVaultPath(given: string, { paths }: VaultToolParts): string {
  const absolute = paths.fromNative(given);
  const vaultPath = absolute === undefined ? relative(given) : paths.toVault(absolute);
  if (vaultPath !== undefined && vaultPath !== "") return vaultPath;
  throw new ToolFailure(`${JSON.stringify(given)} names no file of this vault`);
}

/**
 * A file that agents may know of.
 * @throws ToolFailure when there is none; one that is kept from agents is as if it were not there
 */
export function findFile(given: string, parts: VaultToolParts): TFile {
  const vaultPath = readVaultPath(given, parts);
  const file = parts.app.vault.getFileByPath(vaultPath);
  if (file !== null && !isHidden(file.path, parts)) return file;
  throw new ToolFailure(`There is no file ${JSON.stringify(vaultPath)} in this vault`);
}

/** Whether agents may know nothing of a path of the vault. */
export function isHidden(vaultPath: string, { paths, findExclusion }: VaultToolParts): boolean {
  return findExclusion(paths.toAbsolute(vaultPath)) !== undefined;
}

function relative(given: string): string | undefined {
  const parts = given
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? undefined : parts.join("/").normalize("NFC");
}
