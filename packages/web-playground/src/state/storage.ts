/** Storage that outlives the tab, and storage of the tab. */
type StorageName = "localStorage" | "sessionStorage";

/** Reads a saved text; undefined if there is none, or no storage. */
export function readItem(name: string, storage: StorageName = "localStorage"): string | undefined {
  try {
    return window[storage].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Saves a text; without storage, it is lost on reload. */
export function saveItem(name: string, text: string, storage: StorageName = "localStorage"): void {
  try {
    window[storage].setItem(name, text);
  } catch {
    // The storage is full or not allowed.
  }
}
