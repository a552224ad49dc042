import { IdewireError } from "@idewire/core/rpc";

/** In UTF-16 code units (seed 003, Tools Specification). */
export const LONGEST_TEXT = 10_000;

/** @throws IdewireError `invalid-argument` for a text that is blank or too long */
export function demandText(text: string): void {
  const isBlank = text.trim() === "";
  if (!isBlank && text.length <= LONGEST_TEXT) return;
  throw new IdewireError(
    "invalid-argument",
    `A comment has 1 to ${LONGEST_TEXT} characters; this one has ${isBlank ? "none" : text.length}`,
  );
}
