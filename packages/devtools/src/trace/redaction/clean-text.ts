import type { Findings } from "./findings.ts";
import { cleanLiterals } from "./text-literals.ts";
import { cleanSlices } from "./text-slices.ts";

/** JSON within texts within JSON; what is deeper is read by its spelling alone. */
const MAX_DEPTH = 12;

/**
 * A text without what has to go. It is found as it reads, whatever its spelling; all else stays to
 * the letter. Yields after each slice, so that whoever asks can do something else meanwhile.
 */
export function* cleanText(text: string, findings: Findings, depth = 0): Generator<void, string> {
  if (text.length < 3) return text;
  const cleanInner = (inner: string) => cleanText(inner, findings, depth + 1);
  const isDeep = depth >= MAX_DEPTH;
  const literals = isDeep ? { text, masks: [] } : yield* cleanLiterals(text, findings, cleanInner);
  return yield* cleanSlices(literals, findings);
}
