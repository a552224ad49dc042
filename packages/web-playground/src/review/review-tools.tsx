import { countOf } from "@idewire/core/internal/base";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { REVIEW_KEYS } from "../commands/editor.ts";
import { readItem, saveItem } from "../state/storage.ts";
import { Button } from "../ui/controls.tsx";
import { ArrowDown, ArrowUp, Columns2, Undo2 } from "../ui/icons.ts";
import { type HunkChoice, useEditorCommands } from "./editor-commands.ts";
import type { ReviewEditor, ReviewLayout } from "./review-editor.ts";
import type { ReviewState } from "./review-state.ts";

export const NOTHING_LEFT: ReviewState = {
  hunks: 0,
  conflicts: 0,
  added: 0,
  removed: 0,
  canUndo: false,
};

/** The lines that are added and removed, as signs and as words. */
export function Counts({ added, removed }: Pick<ReviewState, "added" | "removed">) {
  return (
    <span role="img" aria-label={`${countOf(added, "line")} added, ${removed} removed`}>
      <span class="added-count">+{added}</span> <span class="removed-count">-{removed}</span>
    </span>
  );
}

const LAYOUT = "idewire.review-layout";

export function savedLayout(): ReviewLayout {
  return readItem(LAYOUT) === "side-by-side" ? "side-by-side" : "unified";
}

interface ReviewToolsProps {
  readonly editor: { readonly current: ReviewEditor | undefined };
  readonly left: ReviewState;
  readonly choice: HunkChoice;
  /** Drawn after the tools. */
  readonly children?: ComponentChildren;
}

/** Moves between the hunks, undoes a decision, and changes the layout. */
export function ReviewTools({ editor, left, choice, children }: ReviewToolsProps) {
  const [layout, setLayout] = useState(savedLayout);
  const toggle = (): void => {
    const next = layout === "unified" ? "side-by-side" : "unified";
    saveItem(LAYOUT, next);
    setLayout(next);
    editor.current?.setLayout(next);
  };
  const hasHunks = () => left.hunks > 0;
  useEditorCommands(editor, choice);
  return (
    <div class="bar review-tools">
      <Button
        title="Previous hunk"
        icon={ArrowUp}
        kind="icon"
        keys={REVIEW_KEYS.previous}
        when={hasHunks}
        run={() => editor.current?.goTo("previous")}
      />
      <Button
        title="Next hunk"
        icon={ArrowDown}
        kind="icon"
        keys={REVIEW_KEYS.next}
        when={hasHunks}
        run={() => editor.current?.goTo("next")}
      />
      {choice === "answer" && (
        <Button
          title="Undo the last decision"
          icon={Undo2}
          kind="icon"
          when={() => left.canUndo}
          run={() => editor.current?.step("undo")}
        />
      )}
      <Button
        title="Side by side"
        icon={Columns2}
        kind="icon"
        class="side-by-side"
        aria-pressed={layout === "side-by-side"}
        run={toggle}
      />
      {children}
    </div>
  );
}
