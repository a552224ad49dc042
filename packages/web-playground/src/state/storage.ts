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

/** The most that is saved under one name, in UTF-16 units: browsers keep five million for all of a page. */
export const MAX_ITEM_UNITS = 1_000_000;

/** Saves a text; without storage, it is lost on reload. @returns why it was not saved */
export function saveItem(
  name: string,
  text: string,
  storage: StorageName = "localStorage",
): string | undefined {
  if (text.length > MAX_ITEM_UNITS) {
    return `It is too long: ${text.length} characters in all, the limit is ${MAX_ITEM_UNITS}`;
  }
  try {
    window[storage].setItem(name, text);
    return undefined;
  } catch {
    return "This browser did not keep it: its storage is full or switched off";
  }
}
