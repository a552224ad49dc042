import type { PosixPath, ShareLevel } from "@idewire/core";
import { describeValue } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import { type App, getAllTags, type TFile } from "obsidian";
import type { FindExclusion } from "../privacy/exclusions.ts";
import type { VaultPaths } from "../vault-paths.ts";

/** The dependencies of the vault tools. */
export interface VaultToolParts {
  readonly app: App;
  readonly paths: VaultPaths;
  readonly findExclusion: FindExclusion;
  /** The current share level. */
  readonly level: () => ShareLevel;
  /** Vault paths of the folders whose notes may be changed; empty for all that are shared. */
  readonly changeableFolders: () => readonly string[];
  /** Saves a note with unsaved text, since tools work on disk. */
  readonly saveIfOpen: (path: PosixPath) => Promise<void>;
}

/** @throws ToolFailure while the person shares nothing */
export function demandSharing({ level }: VaultToolParts): void {
  if (level() !== "off") return;
  throw new ToolFailure(
    "Sharing is off or paused in Obsidian; ask the person to turn it on in the status bar",
  );
}

/**
 * Parses a path from an agent, absolute or relative to the vault.
 * @throws ToolFailure if it is outside the vault
 */
export function readVaultPath(given: string, { paths }: VaultToolParts): string {
  const absolute = paths.fromNative(given);
  const vaultPath = absolute === undefined ? relative(given) : paths.toVault(absolute);
  if (vaultPath !== undefined && vaultPath !== "") return vaultPath;
  throw new ToolFailure(`${describeValue(given)} does not name a file of this vault`);
}

/**
 * Finds a file that may be shared.
 * @throws ToolFailure if there is none; an excluded file counts as missing
 */
export async function findFile(given: string, parts: VaultToolParts): Promise<TFile> {
  demandSharing(parts);
  const vaultPath = readVaultPath(given, parts);
  const file = parts.app.vault.getFileByPath(vaultPath);
  const isKnown = file !== null && !isHidden(file.path, parts);
  if (isKnown && (await isReallyInside(file.path, parts))) return file;
  throw new ToolFailure(`There is no file ${describeValue(vaultPath)} in this vault`);
}

/** @throws ToolFailure for a path outside the folders in which notes may be changed, whether or not it exists */
export function demandChangeable(vaultPath: string, { changeableFolders }: VaultToolParts): void {
  const folders = changeableFolders();
  const isInside = folders.some((folder) => vaultPath.startsWith(`${folder}/`));
  if (folders.length === 0 || isInside) return;
  throw new ToolFailure(
    `${describeValue(vaultPath)} may not be changed; the person allows changes only in ${folders.join(", ")}`,
  );
}

/** Whether a path of the vault is never shared. */
export function isHidden(vaultPath: string, { paths, findExclusion }: VaultToolParts): boolean {
  return findExclusion(paths.toAbsolute(vaultPath)) !== undefined;
}

/** Whether neither the path nor a folder above it is a link out of the vault. */
export async function isReallyInside(
  vaultPath: string,
  { paths }: VaultToolParts,
): Promise<boolean> {
  const names = vaultPath.split("/");
  const ways = names.map((_, at) => paths.toAbsolute(names.slice(0, at + 1).join("/")));
  const checks = ways.map((way) => paths.demandInside(way));
  return Promise.all(checks).then(
    () => true,
    () => false,
  );
}

/**
 * Awaits an operation of Obsidian.
 * @throws ToolFailure if it fails
 */
export function done<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((error: Error) => {
    throw new ToolFailure(`Obsidian refuses: ${error.message}`);
  });
}

/** All tags of a note, from its text and its properties. */
export function tagsOf(file: TFile, { app }: VaultToolParts): readonly string[] {
  const cache = app.metadataCache.getFileCache(file);
  return [...new Set((cache && getAllTags(cache)) ?? [])];
}

function relative(given: string): string | undefined {
  const parts = given
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? undefined : parts.join("/").normalize("NFC");
}
