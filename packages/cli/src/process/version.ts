import { existsSync, readFileSync } from "node:fs";

/** The version of this package, from its own package.json. */
export function readVersion(): string {
  const folder = findPackage();
  if (folder === undefined) return "unknown";
  const text = readFileSync(new URL("package.json", folder), "utf8");
  const { version } = JSON.parse(text) as { version?: string };
  return version ?? "unknown";
}

/** The folder of this package, built or not. */
export function findPackage(): URL | undefined {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    if (existsSync(new URL("package.json", folder))) return folder;
    if (folder.pathname === "/") return undefined;
  }
}
