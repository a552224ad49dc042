import { isObject } from "@idewire/core/internal";
import { type Signal, signal } from "@preact/signals";
import { readItem, saveItem } from "../state/storage.ts";

const KEY = "idewire.filters";
/** The most entries: the list is read by a person. */
const MAX_SAVED = 50;

/** A saved filter. */
export interface SavedFilter {
  readonly name: string;
  readonly filter: string;
}

/** All saved filters, by name. */
export const savedFilters: Signal<readonly SavedFilter[]> = signal(read());

/** Saves a filter; one of the same name is replaced. @returns why it was not saved */
export function saveFilter({ name, filter }: SavedFilter): string | undefined {
  const saved = savedFilters.value.filter((one) => one.name !== name);
  if (saved.length === MAX_SAVED) return `${MAX_SAVED} filters are saved; delete one first`;
  return write([...saved, { name, filter }].sort((a, b) => a.name.localeCompare(b.name)));
}

/** Deletes the filter of a name. */
export function deleteFilter(name: string): void {
  write(savedFilters.value.filter((one) => one.name !== name));
}

function write(filters: readonly SavedFilter[]): string | undefined {
  savedFilters.value = filters;
  return saveItem(KEY, JSON.stringify(filters));
}

/** Another version of the page may have written something else. */
function read(): readonly SavedFilter[] {
  try {
    const kept: unknown = JSON.parse(readItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSaved).slice(0, MAX_SAVED) : [];
  } catch {
    return [];
  }
}

function isSaved(value: unknown): value is SavedFilter {
  return (
    isObject(value) && typeof value["name"] === "string" && typeof value["filter"] === "string"
  );
}
