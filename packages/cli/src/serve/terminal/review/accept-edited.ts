import { baseName, type EditorCommand } from "@idewire/core";
import type { PendingDiff } from "../../../folder-host/folder-host.ts";
import { line, type Printable } from "../../../output/printable.ts";
import type { TerminalScreen } from "../prompt/screen.ts";
import type { ReviewedEditor } from "./diff-queue.ts";
import type { EditedText } from "./edit-text.ts";

/** The context for editing a proposal. */
export interface EditingContext {
  readonly host: ReviewedEditor;
  /** Runs a command of the person. */
  readonly act: (command: EditorCommand<string>) => Promise<void>;
  readonly screen: TerminalScreen;
  /** Opens a text in the person's editor, in the terminal. */
  readonly edit: (text: string, name: string) => Promise<EditedText>;
}

/**
 * Lets the person edit a text, and accepts a proposal with the result.
 * @param unchanged the message if nothing was changed
 */
export async function acceptEdited(
  { request }: PendingDiff,
  text: string,
  unchanged: Printable,
  { host, screen, act, edit }: EditingContext,
): Promise<void> {
  const edited = await edit(text, baseName(request.path));
  if (!host.pendingDiffs.some((pending) => pending.request.id === request.id)) {
    screen.print(
      line`The diff was answered elsewhere in the meantime. Your text is in ${edited.file}`,
    );
    return;
  }
  await edited.discard();
  if (edited.text === text) {
    screen.print(unchanged);
    return;
  }
  const answer = { kind: "accepted", text: edited.text } as const;
  await act({ do: "answerDiff", id: request.id, answer });
}
