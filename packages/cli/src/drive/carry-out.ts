import { basename } from "node:path";
import { type EditorCommand, type PosixPath, runCommand } from "@idewire/core";
import {
  type CommandableEditor,
  type DiffAnsweredIn,
  type EditorCommandOf,
  type EditorCommandResult,
  type EditorVerb,
  locateCommand,
  type MentionDelivery,
} from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { deliveryOf } from "@idewire/node-server/internal";

/** An editor that runs the commands of a frontend, and the agents that receive them. */
export interface CommandTarget {
  readonly editor: CommandableEditor;
  /** Absent before agents can find the editor. */
  readonly agents: Pick<IdeListener, "endpoints" | "isExcluded" | "sessions" | "share"> | undefined;
  /** The frontend. */
  readonly by: DiffAnsweredIn;
  /**
   * Resolves a path as the frontend writes it.
   * @throws Error when it is not a path
   */
  locate(path: string): PosixPath;
  /** Filters diagnostics to those of the editor's own files; by default all are used. */
  readonly ownDiagnostics?: (
    command: EditorCommandOf<"setDiagnostics">,
  ) => Promise<EditorCommandOf<"setDiagnostics">>;
}

/**
 * Runs a command of a frontend, and returns its result.
 * @throws Error with a message for the person, also if no agent receives a mention
 */
export async function perform(
  written: EditorCommand<string>,
  target: CommandTarget,
): Promise<EditorCommandResult<EditorVerb>> {
  const { editor, agents, by, ownDiagnostics } = target;
  const command = locateCommand(written, (path) => target.locate(path));
  const isReduced = command.do === "setDiagnostics" && ownDiagnostics !== undefined;
  const taken = isReduced ? await ownDiagnostics(command) : command;
  const result = await runCommand<EditorVerb>(editor, taken, by);
  if (command.do !== "mention" || agents === undefined) return result;
  return deliveryOf(command, agents);
}

/**
 * Runs a command for a frontend that only reports whether it was done.
 * @throws Error with a message for the person, also if the editor refuses
 */
export async function carryOut(
  command: EditorCommand<string>,
  target: CommandTarget,
): Promise<EditorCommandResult<EditorVerb>> {
  const result = await perform(command, target);
  if (result === false) throw new ToolFailure(refusal(command));
  if (typeof result === "object" && "saved" in result && !result.saved) {
    throw new ToolFailure(result.message ?? "the file was not saved");
  }
  return result;
}

/** As {@link carryOut}; the result is that of a mention. */
export async function carryMention(
  command: EditorCommand<string>,
  target: CommandTarget,
): Promise<MentionDelivery | undefined> {
  const result = await carryOut(command, target);
  return typeof result === "object" && "unable" in result ? result : undefined;
}

function refusal(command: EditorCommand<string>): string {
  if (command.do === "answerDiff") return `no diff ${command.id} is pending`;
  const name = "path" in command ? basename(command.path) : "the document";
  return `${name} is not open, or has unsaved text: use "discard" to drop it`;
}
