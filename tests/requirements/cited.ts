import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The files in which a test may cite a statement: test files, and the conversations that one of them plays. */
function citingFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist", ".extracted"].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return citingFiles(path);
    const isConversation = folder.endsWith("conversations") && entry.name.endsWith(".json");
    return entry.name.endsWith(".test.ts") || isConversation ? [path] : [];
  });
}

/**
 * Every id of a manifest that a test cites: as a text of its own, or in brackets in its name. Its ids
 * start with `prefix` and a colon.
 */
export function citedIds(prefix: string): ReadonlySet<string> {
  const quotedId = new RegExp(`["[ ]${prefix}:[a-z0-9:-]+(?=["\\] ])`, "g");
  return new Set(
    [join(root, "tests"), join(root, "packages")]
      .flatMap(citingFiles)
      .flatMap((path) => readFileSync(path, "utf8").match(quotedId) ?? [])
      .map((quoted) => quoted.slice(1)),
  );
}
