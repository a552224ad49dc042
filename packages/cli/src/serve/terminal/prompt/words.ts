import type { EditorCommand } from "@idewire/core";
import { type FindRange, mentionPlace, parsePlace } from "./place.ts";

/** The verb of a typed command, in the terminal or in a shell. */
export type TypedVerb = "open" | "select" | "mention" | "clear";

/** A typed command. */
export interface TypedWords {
  /** The file as typed; empty for `clear`. */
  readonly file: string;
  /** @param find locates lines and columns in the editor's text of the file */
  compose(this: void, find: FindRange): Promise<EditorCommand<string>>;
}

/**
 * Parses the words of a command: `open plan.md`, `select plan.md:10-20`.
 * @throws Error with a message for the person
 */
export function readWords(verb: TypedVerb, argument: string): TypedWords {
  if (verb === "clear") return { file: "", compose: async () => ({ do: "clearSelection" }) };
  if (argument === "") throw new Error(`Which file? For example: ${verb} README.md`);
  if (verb === "open") {
    return { file: argument, compose: async () => ({ do: "open", path: argument }) };
  }
  const place = parsePlace(argument);
  const { file, start, end } = place;
  if (verb === "mention") return { file, compose: (find) => mentionPlace(place, find) };
  if (start === undefined || end === undefined) {
    throw new Error(`Which lines of ${file}? For example: select ${file}:10-20`);
  }
  return {
    file,
    compose: async (find) => ({ do: "select", path: file, range: await find(file, start, end) }),
  };
}
