export { isSameToken } from "@idewire/http/internal";

/** Whether a record holds a token in our format; a short or empty one is invalid. */
export function isRecordedToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43,128}$/.test(value);
}
