import { baseName, type PosixPath } from "@idewire/core";
import { isSkipped, scanFolder } from "../diagnostics/workspace-scan.ts";
import type { ProviderFolder } from "../diagnostics-provider.ts";
import { languageIdOf } from "../language-id.ts";
import { isFor } from "./document-selector.ts";

/** How many directories are searched, and how many languages get a file. */
const MAX_DIRECTORIES = 300;
const MAX_LANGUAGES = 8;

/**
 * One file of each language that a server is for, the ones nearest to the top. What a server needs
 * for one file of a language, such as the project around it, serves the others too.
 * @param languages undefined: whatever is no plain text
 */
export async function findSampleFiles(
  folder: ProviderFolder,
  languages: readonly string[] | undefined,
): Promise<readonly PosixPath[]> {
  const samples = new Map<string, PosixPath>();
  const most = Math.min(new Set(languages).size || MAX_LANGUAGES, MAX_LANGUAGES);
  let directories = 0;
  for await (const files of scanFolder(folder.folder, () => {})) {
    directories += 1;
    for (const path of files) {
      const language = languageIdOf(path);
      if (samples.has(language) || samples.size >= most) continue;
      if (!isTypical(path) || !isFor(path, languages)) continue;
      if ((await folder.read(path)) !== undefined) samples.set(language, path);
    }
    if (samples.size >= most || directories >= MAX_DIRECTORIES) break;
  }
  return [...samples.values()];
}

/** Settings of tools and declarations often belong to no project. */
function isTypical(path: PosixPath): boolean {
  const name = baseName(path);
  return !isSkipped(name) && !/\.(config|d)\.\w+$/.test(name);
}
