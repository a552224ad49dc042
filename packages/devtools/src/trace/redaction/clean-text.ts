import type { Findings } from "./findings.ts";
import { cleanLiterals } from "./text-literals.ts";
import { cleanSlices } from "./text-slices.ts";

/** Levels of JSON in strings of JSON; deeper levels are only unescaped. */
const MAX_DEPTH = 12;

/**
 * A redacted text. Values are found however they are escaped; everything else stays verbatim. Yields
 * after each slice, so that the caller can do other work meanwhile.
 */
export function* cleanText(text: string, findings: Findings, depth = 0): Generator<void, string> {
  if (text.length < 3) return text;
  const cleanInner = (inner: string) => cleanText(inner, findings, depth + 1);
  const isDeep = depth >= MAX_DEPTH;
  const literals = isDeep ? { text, masks: [] } : yield* cleanLiterals(text, findings, cleanInner);
  return yield* cleanSlices(literals, findings);
}
