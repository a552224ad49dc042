import { existsSync, readFileSync } from "node:fs";

/** The version of this package, from its own package.json. */
export function readVersion(): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    const manifest = new URL("package.json", folder);
    if (existsSync(manifest)) {
      const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version?: string };
      return version ?? "unknown";
    }
    if (folder.pathname === "/") return "unknown";
  }
}
