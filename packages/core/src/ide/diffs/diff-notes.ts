import { countOf } from "../../text/count-of.ts";
/** Shown above a diff whose file was written while it waits. */
export const FILE_CHANGED =
  "The file has changed since the agent proposed this: it is compared with what is there now";

/** What a person must know before a text is written to a file that is not UTF-8; undefined if nothing. */
export function describeLostBytes(lostBytes: number): string | undefined {
  if (lostBytes === 0) return undefined;
  const bytes = countOf(lostBytes, "byte");
  return `The file is not UTF-8: ${bytes} cannot be preserved`;
}
