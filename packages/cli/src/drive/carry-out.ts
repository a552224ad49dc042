import { baseName, type EditorCommand, runCommand } from "@idewire/core";
import type { CommandableEditor, EditorVerb } from "@idewire/core/internal";
import type { IdeListener } from "@idewire/node-server";
import { whyUnheard } from "@idewire/node-server/internal";

/** An editor that takes commands, and the agents that learn of what it does. */
export interface CommandTarget {
  readonly editor: CommandableEditor;
  readonly agents: Pick<IdeListener, "sessions" | "share">;
}

/**
 * Carries out a command, for a frontend that only says whether that was done.
 * @throws Error in words for the person, also when nothing came of it
 */
export async function carryOut(command: EditorCommand, target: CommandTarget): Promise<void> {
  const result = await runCommand<EditorVerb>(target.editor, command, "script");
  if (result === false) throw new Error(whyRefused(command));
  if (typeof result === "object" && !result.saved) {
    throw new Error(result.message ?? "the file was not saved");
  }
  if (command.do !== "mention") return;
  const reason = whyUnheard(command.path, target.agents);
  if (reason !== undefined) throw new Error(reason);
}

function whyRefused(command: EditorCommand): string {
  if (command.do === "answerDiff") return `no diff ${command.id} waits for an answer`;
  const name = "path" in command ? baseName(command.path) : "the document";
  return `${name} is not open, or has unsaved text, which is lost with "discard" alone`;
}
