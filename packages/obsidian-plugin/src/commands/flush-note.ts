import type { App, TFile } from "obsidian";

/** Obsidian normally indexes a saved note much sooner. */
const TIMEOUT_MS = 1_000;

/** Saves a note and waits until Obsidian has indexed it, so that its positions are those on disk. */
export async function flushNote(
  { metadataCache }: Pick<App, "metadataCache">,
  file: TFile,
  save: () => Promise<unknown>,
): Promise<void> {
  let finish = () => {};
  const changed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const ref = metadataCache.on("changed", (other) => {
    if (other === file) finish();
  });
  const timer = window.setTimeout(finish, TIMEOUT_MS);
  try {
    await save();
    await changed;
  } finally {
    window.clearTimeout(timer);
    metadataCache.offref(ref);
  }
}
