import type { FoundFile, SearchEnd, TextQuery } from "@idewire/devtools/internal";
import type { SearchSource } from "../search/search-model.ts";
import { askFolder, type FolderBehind } from "./ask-folder.ts";

/** The files of the folder behind the page; idewire searches them. */
export class FolderSearch implements SearchSource {
  readonly #behind: Pick<FolderBehind, "client">;
  readonly #flushAll: () => void;
  #runs = 0;

  /** @param flushAll sends idewire the newest text of each file */
  constructor(behind: Pick<FolderBehind, "client">, flushAll: () => void) {
    this.#behind = behind;
    this.#flushAll = flushAll;
  }

  search(
    query: TextQuery,
    take: (found: readonly FoundFile[]) => void,
    signal: AbortSignal,
  ): Promise<SearchEnd> {
    this.#runs += 1;
    const run = this.#runs;
    this.#flushAll();
    return askFolder(this.#behind, (client) => {
      client.on("search/found", ({ found, ...of }) => {
        if (of.run === run) take(found);
      });
      const stop = (): void => void client.request("search/stop", {}).catch(() => undefined);
      signal.addEventListener("abort", () => run === this.#runs && stop(), { once: true });
      return client.request("search/run", { run, ...query });
    });
  }
}
