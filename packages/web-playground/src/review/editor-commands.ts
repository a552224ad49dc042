import { REVIEW_KEYS } from "../commands/editor.ts";
import type { Command } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import type { ReviewEditor } from "./review-editor.ts";

/** Registers what the keys of a review do in its editor alone: elsewhere they belong to a field. */
export function useEditorCommands(editor: { readonly current: ReviewEditor | undefined }): void {
  const when = (): boolean => editor.current?.hasFocus() === true;
  const define = (
    key: "acceptHunk" | "rejectHunk" | "undo" | "redo",
    title: string,
    act: (editor: ReviewEditor) => void,
  ): Command => ({
    id: key,
    title,
    keys: REVIEW_KEYS[key],
    when,
    run: () => editor.current && act(editor.current),
  });
  useCommands([
    define("acceptHunk", "Accept this hunk", (shown) => shown.decide("accept")),
    define("rejectHunk", "Reject this hunk", (shown) => shown.decide("reject")),
    define("undo", "Undo the last decision", (shown) => shown.step("undo")),
    define("redo", "Redo it", (shown) => shown.step("redo")),
  ]);
}
