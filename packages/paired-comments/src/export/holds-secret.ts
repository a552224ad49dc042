const secrets: readonly RegExp[] = [
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{30,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/,
  /(?<![\w-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./,
  /\b(?:password|passwd|secret|api[_-]?key|token)["']?\s{0,5}[:=]\s{0,5}["'][^"'\s]{12,}["']/i,
];

/**
 * Does any text in a value, or the name of a member, hold something like a key or a password? A member is read as
 * JSON has it, so that its name tells what its text is; with a stack, as other programs nest as deep as they like.
 */
export function holdsSecret(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string" && secrets.some((pattern) => pattern.test(next))) return true;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, member] of Object.entries(next)) {
      if (typeof member === "string") left.push(`"${key}": "${member}"`);
      else left.push(key, member);
    }
  }
  return false;
}
