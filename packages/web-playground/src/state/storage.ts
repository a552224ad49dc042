/** What outlasts the tab, and what is of the tab alone. */
type StorageName = "localStorage" | "sessionStorage";

/** The text that this browser keeps under a name; undefined when there is none, or no storage. */
export function readKept(name: string, storage: StorageName = "localStorage"): string | undefined {
  try {
    return window[storage].getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Has this browser keep a text; without storage it is forgotten with the page. */
export function keep(name: string, text: string, storage: StorageName = "localStorage"): void {
  try {
    window[storage].setItem(name, text);
  } catch {
    // It is full, or not allowed.
  }
}
