import type { Redactor } from "../rpc/redactor.ts";

/** Length of the text searched for secrets, in UTF-16 units; no secret is half as long. */
const LONGEST_REDACTED = 1 << 16;

/**
 * How much of its input an error message repeats: more of a text, such as a path, than of a value written as JSON.
 */
const MAX_TEXT_UNITS = 150;
const MAX_JSON_UNITS = 60;

/** A value for an error message: its redacted JSON, truncated. */
export function describeValue(value: unknown, redactor?: Partial<Redactor>): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "nothing";
  } catch {
    text = "what cannot be written as JSON";
  }
  if (redactor?.redact) {
    const isCut = text.length > LONGEST_REDACTED;
    text = redactor.redact(text.slice(0, LONGEST_REDACTED));
    // After redaction it may end with the beginning of another secret.
    if (isCut && 2 * text.length < LONGEST_REDACTED) text = "…";
  }
  return cut(text, typeof value === "string" ? MAX_TEXT_UNITS : MAX_JSON_UNITS);
}

/** A path or an address for an error message: without quotes, truncated. */
export function describePath(path: string): string {
  return cut(path, MAX_TEXT_UNITS);
}

function cut(text: string, maxUnits: number): string {
  return text.length > maxUnits ? `${text.slice(0, maxUnits - 1)}…` : text;
}
