import type { PosixPath } from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import { languageIdOf } from "../language-id.ts";
import { member } from "./capabilities.ts";
import { matchesGlob } from "./glob.ts";

/** Which documents a part of a server is for. */
export interface DocumentFilter {
  readonly language?: string;
  readonly scheme?: string;
  readonly pattern?: string;
}

/** A list of filters, or null: then it is the client that decides. */
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
 * @param languages those that it is known for; undefined: whatever is no plain text
 * @param selector what the server itself has said; undefined when it has not
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
