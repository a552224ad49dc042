const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * The value with U+FFFD in place of each lone surrogate in its strings, at any depth. Many readers of JSON refuse
 * the whole text because of one.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value) as T;
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") {
    return LONE_SURROGATE.test(value) ? value.replace(LONE_SURROGATES, "\ufffd") : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(repaired);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, repaired(each)]));
}

/** Truncates a text without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const halvesPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halvesPair ? length - 1 : length);
}
