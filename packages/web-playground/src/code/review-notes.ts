import { findHiddenChanges } from "@idewire/codemirror/review";

/** What a proposal changes beside what the comparison of its lines shows, in words. */
export function describeHiddenChanges(review: {
  readonly original: string;
  readonly proposed: string;
}): readonly string[] {
  const { original, proposed } = review;
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
