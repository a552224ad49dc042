import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packageFolder = fileURLToPath(new URL("../../../packages/obsidian-plugin", import.meta.url));

/**
 * The built files of a release.
 * @throws Error saying how to build them
 */
export function pluginArtefacts(
  folder: string = packageFolder,
): Readonly<Record<"main.js" | "manifest.json" | "styles.css", string>> {
  const found = {
    "main.js": join(folder, "dist/main.js"),
    "manifest.json": join(folder, "dist/manifest.json"),
    "styles.css": join(folder, "dist/styles.css"),
  };
  const missing = Object.values(found).filter((path) => !existsSync(path));
  if (missing.length === 0) return found;
  throw new Error(
    `${missing.join(", ")} not built: run \`npm run pnpm -- exec turbo run build --filter=@idewire/obsidian-plugin\``,
  );
}
