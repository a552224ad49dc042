import { findHiddenChanges } from "@idewire/codemirror/review";
import { countAddedHidden, describeAddedHidden } from "@idewire/core";

interface DiffTexts {
  readonly original: string;
  readonly proposed: string;
}

/** What a proposal adds that nobody would see, in words; undefined when nothing. */
export function describeAddedCharacters({ original, proposed }: DiffTexts): string | undefined {
  const words = describeAddedHidden(countAddedHidden(original, proposed));
  return words === undefined ? undefined : `${words}.`;
}

/** What a proposal changes beside what the comparison of its lines shows, in words. */
export function describeHiddenChanges({ original, proposed }: DiffTexts): readonly string[] {
  if (original === "") return [];
  const { endings, bom } = findHiddenChanges(original, proposed);
  const notes: string[] = [];
  if (endings !== undefined) {
    const { from, to, lines } = endings;
    const where = lines === 0 ? "" : ` in ${lines} ${lines === 1 ? "line" : "lines"}`;
    notes.push(`Line endings change from ${from} to ${to}${where}.`);
  }
  if (bom !== undefined) notes.push(`A byte order mark is ${bom} at the start of the file.`);
  return notes;
}
