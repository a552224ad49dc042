import { baseName } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { answerCommands, REVIEW_KEYS } from "../commands/editor.ts";
import { printKey } from "../commands/keys.ts";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { readItem, saveItem } from "../state/storage.ts";
import { Button, CommandButton, set } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { ArrowDown, ArrowUp, Columns2, Undo2 } from "../ui/icons.ts";
import { ShadowHost } from "../ui/shadow-host.tsx";
import { type HunkChoice, useEditorCommands } from "./editor-commands.ts";
import { LineComments } from "./line-comments.tsx";
import { OutsideWarning } from "./outside-warning.tsx";
import { createReviewEditor, type ReviewEditor, type ReviewLayout } from "./review-editor.ts";
import { describeAddedCharacters, describeHidden } from "./review-notes.ts";
import type { ReviewState } from "./review-state.ts";
import { saveDraft, savedDraft } from "./saved-drafts.ts";

type ReviewAnswer = "accepted" | "rejected";

/** The review of a pending diff, whole or hunk by hunk. */
export function Review({ id, live }: { readonly id: string; readonly live: boolean }) {
  const page = usePage();
  const { model, view } = page;
  const review = useLatest(model.state.value.reviews.find((one) => one.id === id));
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [left, setLeft] = useState<ReviewState>(NOTHING_LEFT);
  const [isAsked, setAsked] = useState(false);
  const canAnswer = live && model.isReachable;
  const answer = (kind: ReviewAnswer): void => {
    if (review === undefined || !canAnswer) return;
    if (kind === "accepted" && review.outside === true && !isAsked) {
      setAsked(true);
      return;
    }
    const text = editor.current?.text ?? review.proposed;
    model.actions?.answer(review, kind === "accepted" ? { kind, text } : { kind });
  };
  const [accept, reject] = answerCommands(page);
  useLayoutEffect(() => {
    view.answer.value = canAnswer ? answer : undefined;
    return () => {
      view.answer.value = undefined;
    };
  }, [canAnswer, review, isAsked]);
  if (review === undefined) return null;
  return (
    <div class="review" data-testid="review">
      <ReviewList chosen={id} />
      <div class="bar actions">
        <span class="path">
          <Proposer id={id} />
          <ForeignText text={review.path} />
          <small>
            {countOf(left.hunks, "hunk")}, <Counts {...left} />
            {left.conflicts > 0 && (
              <b class="conflicts" data-testid="conflicts">
                {left.conflicts} changed on both sides
              </b>
            )}
          </small>
        </span>
        <CommandButton class="yes" command={accept}>
          Accept <kbd>{accept.keys?.slice(0, 1).map(printKey)}</kbd>
        </CommandButton>
        <CommandButton class="no" command={reject}>
          Reject <kbd>{reject.keys?.slice(0, 1).map(printKey)}</kbd>
        </CommandButton>
      </div>
      {review.outside === true && (
        <OutsideWarning
          path={review.path}
          isAsked={isAsked}
          accept={() => answer("accepted")}
          cancel={() => setAsked(false)}
        />
      )}
      <ReviewTools editor={editor} left={left} choice={live ? "answer" : "none"}>
        {live && <LineComments id={id} editor={editor} isWaiting={true} />}
      </ReviewTools>
      <p class="review-title hint" title={foreignText(review.title)}>
        Title: <ForeignText text={withoutOrnaments(review.title)} />
      </p>
      <ReviewNotes {...review} />
      <ShadowHost<ReviewEditor>
        key={review.original}
        text={review.proposed}
        onopen={(opened) => {
          editor.current = opened;
        }}
        open={async (root) => {
          const opened = await createReviewEditor(root, {
            ...review,
            ...{
              draft: savedDraft(review),
              readOnly: !live,
              layout: savedLayout(),
              onstate: setLeft,
            },
          });
          if (!live) return opened;
          return saveOnClose(opened, (text) => {
            const { reviews } = model.state.peek();
            saveDraft(review, text, { reviews, isLive: model.live !== undefined });
          });
        }}
      />
    </div>
  );
}

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

/** The last value that was defined: a review that has ended is shown until it is unmounted. */
function useLatest<T>(value: T | undefined): T | undefined {
  const latest = useRef(value);
  latest.current = value ?? latest.current;
  return latest.current;
}

/** A title without symbols at its ends, which many fonts show as boxes. */
function withoutOrnaments(title: string): string {
  return title.replace(/^[\p{S}\s]+|[\p{S}\s]+$/gu, "") || title;
}

/** Saves the edited text when the review is closed or the page is unloaded. */
function saveOnClose(opened: ReviewEditor, save: (text: string) => void): ReviewEditor {
  const saveNow = () => save(opened.text);
  window.addEventListener("pagehide", saveNow);
  return {
    ...opened,
    get text() {
      return opened.text;
    },
    destroy() {
      window.removeEventListener("pagehide", saveNow);
      saveNow();
      opened.destroy();
    },
  };
}

/** The pending diffs, if there are several. */
function ReviewList({ chosen }: { readonly chosen: string }) {
  const { model, view } = usePage();
  const { reviews } = model.state.value;
  if (reviews.length < 2) return null;
  return (
    <CommandScope.Provider value="Diffs to review">
      <nav class="bar files" aria-label="Diffs to review" data-testid="reviews">
        <span class="hint">{reviews.length} diffs</span>
        {reviews.map(({ id, path }) => (
          <Button
            title={baseName(path)}
            isForeign
            key={id}
            class="tab"
            aria-pressed={id === chosen}
            tooltip={foreignText(path)}
            run={set(view.review, id)}
          />
        ))}
      </nav>
    </CommandScope.Provider>
  );
}

/** The agent that proposes the change, if there may be several. */
function Proposer({ id }: { readonly id: string }) {
  const agent = usePage().model.live?.agentOf(id);
  return agent === undefined ? (
    <>Diff of </>
  ) : (
    <>
      <b>
        <ForeignText text={agent} />
      </b>{" "}
      proposes to change{" "}
    </>
  );
}

interface ReviewTexts {
  readonly original: string;
  readonly proposed: string;
  readonly notes?: readonly string[];
}

/** Changes that the lines do not show. */
export function ReviewNotes({ original, proposed, notes: facts = [] }: ReviewTexts) {
  const texts = { original, proposed };
  const notes = useMemo(() => describeHidden(texts), [original, proposed]);
  const added = useMemo(() => describeAddedCharacters(texts), [original, proposed]);
  return (
    <>
      {facts.map((fact) => (
        <p key={fact} class="review-note warning" role="alert" data-testid="review-fact">
          {fact}.
        </p>
      ))}
      {added !== undefined && (
        <p class="review-note warning" role="alert" data-testid="added-hidden">
          {added}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="review-note" role="status">
          {note}
        </p>
      ))}
    </>
  );
}
