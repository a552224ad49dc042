import { DecodedText, replaceRanges, type TextRange } from "./decoded-text.ts";
import { secretPatterns } from "./secret-patterns.ts";
import type { SecretPattern } from "./token-formats.ts";

const sure: readonly SecretPattern[] = secretPatterns.filter(({ isGuess }) => isGuess !== true);
/** Words, such as most names of members; the shortest secret of letters alone has 20. */
const PLAIN = /^[A-Za-z$]{0,19}$/;

/** The ranges of a decoded text that look like secrets. */
export function findSecrets(
  text: string,
  patterns: readonly SecretPattern[] = secretPatterns,
): readonly TextRange[] {
  if (PLAIN.test(text)) return [];
  const found: TextRange[] = [];
  for (const { pattern, accept } of patterns) {
    // `matchAll` copies the expression, which takes longer than to read a short text.
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const range = rangeOf(match);
      const secret = text.slice(range.from, range.to);
      if (accept?.(secret, text.charAt(range.to)) !== false) found.push(range);
    }
  }
  return found;
}

/** A text with everything that looks like a secret replaced, even if escaped. */
export function redactSecrets(text: string, by: string): string {
  const decoded = new DecodedText(text);
  return replaceRanges(decoded, findSecrets(decoded.text), () => by);
}

/** Whether a text, even if escaped, certainly contains a secret, so that it must be withheld. */
export function containsSecret(text: string): boolean {
  return findSecrets(new DecodedText(text).text, sure).length > 0;
}

/** The group that matched, without dots at the end, which end a sentence. */
function rangeOf({ index, 0: all, groups = {} }: RegExpExecArray): TextRange {
  const secret = Object.values(groups).find((group) => group !== undefined) ?? all;
  const from = index + all.lastIndexOf(secret);
  return { from, to: from + secret.replace(/\.{1,64}$/, "").length };
}
