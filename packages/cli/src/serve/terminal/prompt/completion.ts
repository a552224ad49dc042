import { readdirSync } from "node:fs";
import { join } from "node:path";
import { shareLevels } from "@idewire/core/internal";
import { visible } from "../../../output/printable.ts";

/** The kind of a command's argument, for completion. */
export type ArgumentKind = "file" | "level" | "change";

export interface Completable {
  readonly name: string;
  readonly argument?: ArgumentKind;
}

/**
 * Completes a command, or the argument of one.
 * @param folder native; the base of relative file names
 * @returns the candidates for the last word, and that word, as readline expects
 */
export function complete(
  typed: string,
  commands: readonly Completable[],
  folder: string,
  changes: readonly number[],
): [string[], string] {
  const [, name = "", space = "", word = ""] = /^\s*(\S*)(\s*)(.*)$/s.exec(typed) ?? [];
  if (space === "") {
    return [
      startingWith(
        commands.map((command) => `${command.name} `),
        name,
      ),
      name,
    ];
  }
  const kind = commands.find((command) => command.name === name)?.argument;
  return [startingWith(candidates(kind, word, folder, changes), word), word];
}

function candidates(
  kind: ArgumentKind | undefined,
  word: string,
  folder: string,
  changes: readonly number[],
): readonly string[] {
  if (kind === "level") return shareLevels;
  if (kind === "change") return changes.map(String);
  return kind === "file" ? filesLike(word, folder) : [];
}

/** Names with a leading dot are listed only after a typed dot; names with control characters never. */
function filesLike(word: string, folder: string): readonly string[] {
  const slash = word.lastIndexOf("/") + 1;
  const parent = word.slice(0, slash);
  const wantsHidden = word.startsWith(".", slash);
  try {
    return readdirSync(parent.startsWith("/") ? parent : join(folder, parent), {
      withFileTypes: true,
    })
      .filter(({ name }) => wantsHidden || !name.startsWith("."))
      .filter(({ name }) => visible(name) === name)
      .map((entry) => `${parent}${entry.name}${entry.isDirectory() ? "/" : ""}`);
  } catch {
    return [];
  }
}

function startingWith(candidates: readonly string[], word: string): string[] {
  return candidates.filter((candidate) => candidate.startsWith(word)).sort();
}
