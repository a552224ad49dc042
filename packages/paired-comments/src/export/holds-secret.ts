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

/** Does any text in a value hold something like a key or a password? */
export function holdsSecret(value: unknown): boolean {
  if (typeof value === "string") return secrets.some((pattern) => pattern.test(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(holdsSecret);
}
