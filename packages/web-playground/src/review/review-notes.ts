import { findHiddenChanges } from "@idewire/codemirror/review";
import { countAddedHidden, describeAddedHidden } from "@idewire/core/internal";

interface DiffTexts {
  readonly original: string;
  readonly proposed: string;
}

/** The hidden characters that a diff adds, in words; undefined when there are none. */
export function describeAddedCharacters({ original, proposed }: DiffTexts): string | undefined {
  const words = describeAddedHidden(countAddedHidden(original, proposed));
  return words === undefined ? undefined : `${words}.`;
}

/** Describes changes of a diff that its lines do not show. */
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
