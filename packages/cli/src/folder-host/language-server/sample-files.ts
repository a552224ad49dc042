import { baseName, type PosixPath } from "@idewire/core";
import { isSkipped, scanFolder } from "../diagnostics/workspace-scan.ts";
import type { ProviderFolder } from "../diagnostics-provider.ts";
import { languageIdOf } from "../language-id.ts";
import { isFor } from "./document-selector.ts";

/** How many directories are searched, and for how many languages. */
const MAX_DIRECTORIES = 300;
const MAX_LANGUAGES = 8;

/**
 * One file of each of a server's languages, the nearest to the root. Whatever a server loads for one file of a
 * language, such as its project, serves the others too.
 * @param languages undefined for all except plain text
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

/** Settings of tools and declarations are often outside any project. */
function isTypical(path: PosixPath): boolean {
  const name = baseName(path);
  return !isSkipped(name) && !/\.(config|d)\.\w+$/.test(name);
}
