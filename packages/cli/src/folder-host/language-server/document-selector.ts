import type { PosixPath } from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import { languageIdOf } from "../language-id.ts";
import { member } from "./capabilities.ts";
import { matchesGlob } from "./glob.ts";

/** A filter of a server's documents. */
export interface DocumentFilter {
  readonly language?: string;
  readonly scheme?: string;
  readonly pattern?: string;
}

/** A list of filters, or null, which leaves the choice to the client. */
export function readSelector(options: unknown): readonly DocumentFilter[] | undefined {
  const selector = member(options, "documentSelector");
  if (!Array.isArray(selector)) return undefined;
  return selector.filter(isObject).map((filter) => ({
    ...(typeof filter["language"] === "string" && { language: filter["language"] }),
    ...(typeof filter["scheme"] === "string" && { scheme: filter["scheme"] }),
    ...(typeof filter["pattern"] === "string" && { pattern: filter["pattern"] }),
  }));
}

/**
 * Whether a document is for a server.
 * @param languages the known languages of the server; undefined for all except plain text
 * @param selector the server's own selector; undefined if it has none
 */
export function isFor(
  path: PosixPath,
  languages: readonly string[] | undefined,
  selector: readonly DocumentFilter[] = [{}],
): boolean {
  const id = languageIdOf(path);
  if (languages === undefined ? id === "plaintext" : !languages.includes(id)) return false;
  return selector.some(({ language, scheme, pattern }) => {
    const isOfIt = (language ?? id) === id && (scheme ?? "file") === "file";
    return isOfIt && (pattern === undefined || matchesGlob(pattern, path));
  });
}
