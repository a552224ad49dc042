import { REVIEW_KEYS } from "../commands/editor.ts";
import type { Command } from "../commands/registry.ts";
import { useCommands } from "../commands/use-command.ts";
import { AFTERWARDS, ANSWERS } from "./hunk-controls.ts";
import type { ReviewEditor } from "./review-editor.ts";

/** The person's decision about each hunk: the answer, afterwards whether to retain it, or none. */
export type HunkChoice = "answer" | "afterwards" | "none";

/** Registers the keys of a review in its editor only: elsewhere they belong to a field. */
export function useEditorCommands(
  editor: { readonly current: ReviewEditor | undefined },
  choice: HunkChoice,
): void {
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
  const titles = choice === "afterwards" ? AFTERWARDS : ANSWERS;
  const decisions = [
    define("acceptHunk", `${titles.accept} this hunk`, (shown) => shown.decide("accept")),
    define("rejectHunk", `${titles.reject} this hunk`, (shown) => shown.decide("reject")),
  ];
  const steps = [
    define("undo", "Undo the last decision", (shown) => shown.step("undo")),
    define("redo", "Redo it", (shown) => shown.step("redo")),
  ];
  useCommands(
    {
      answer: [...decisions, ...steps],
      // Idewire carries these out.
      afterwards: decisions.map((one) => ({ ...one, needsConnection: true })),
      none: [],
    }[choice],
  );
}
