import { type PosixPath, type ShareLevel, ToolFailure } from "@idewire/core";
import { type App, getAllTags, type TFile } from "obsidian";
import type { FindExclusion } from "../privacy/exclusions.ts";
import type { VaultPaths } from "../vault-paths.ts";

/** What the tools of the vault work with. */
export interface VaultToolParts {
  readonly app: App;
  readonly paths: VaultPaths;
  readonly findExclusion: FindExclusion;
  /** What the person lets agents know, in general. */
  readonly level: () => ShareLevel;
  /** Tools work on what is on disk. */
  readonly saveIfOpen: (path: PosixPath) => Promise<void>;
}

/** @throws ToolFailure while the person shares nothing */
export function demandSharing({ level }: VaultToolParts): void {
  if (level() !== "off") return;
  throw new ToolFailure(
    "Sharing is off or paused in Obsidian; expected it on: ask the person to switch it on in the status bar",
  );
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
export async function findFile(given: string, parts: VaultToolParts): Promise<TFile> {
  demandSharing(parts);
  const vaultPath = readVaultPath(given, parts);
  const file = parts.app.vault.getFileByPath(vaultPath);
  const isKnown = file !== null && !isHidden(file.path, parts);
  if (isKnown && (await isReallyInside(file.path, parts))) return file;
  throw new ToolFailure(`There is no file ${JSON.stringify(vaultPath)} in this vault`);
}

/** Whether agents may know nothing of a path of the vault. */
export function isHidden(vaultPath: string, { paths, findExclusion }: VaultToolParts): boolean {
  return findExclusion(paths.toAbsolute(vaultPath)) !== undefined;
}

/** Whether no link leads a path of the vault, or a folder on the way to it, out of the vault. */
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
 * What Obsidian is asked to do with a file.
 * @throws ToolFailure when it does not
 */
export function done<Value>(work: Promise<Value>): Promise<Value> {
  return work.catch((error: Error) => {
    throw new ToolFailure(`Obsidian refuses: ${error.message}`);
  });
}

/** All tags of a note, in its text and its properties. */
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
