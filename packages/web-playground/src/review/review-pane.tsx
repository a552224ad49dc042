import { baseName } from "@idewire/core";
import { countOf } from "@idewire/core/internal/base";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { answerCommands } from "../commands/editor.ts";
import { printKey } from "../commands/keys.ts";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Button, CommandButton, set } from "../ui/controls.tsx";
import { ForeignText, foreignText } from "../ui/foreign-text.tsx";
import { LineComments } from "./line-comments.tsx";
import { OutsideWarning } from "./outside-warning.tsx";
import { ProposalEditor } from "./proposal-editor.tsx";
import type { ReviewEditor } from "./review-editor.ts";
import { describeAddedCharacters, describeHidden } from "./review-notes.ts";
import type { ReviewState } from "./review-state.ts";
import { Counts, NOTHING_LEFT, ReviewTools } from "./review-tools.tsx";

type ReviewAnswer = "accepted" | "rejected";

/** The review of a pending diff, whole or hunk by hunk. */
export function Review({ id, live }: { readonly id: string; readonly live: boolean }) {
  const { model, view } = usePage();
  const review = useLatest(model.state.value.reviews.find((one) => one.id === id));
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [left, setLeft] = useState<ReviewState>(NOTHING_LEFT);
  const [isConfirming, setConfirming] = useState(false);
  const canAnswer = live && model.isReachable;
  const answer = (kind: ReviewAnswer): void => {
    if (review === undefined || !canAnswer) return;
    if (kind === "accepted" && review.outside === true && !isConfirming) {
      setConfirming(true);
      return;
    }
    const text = editor.current?.text ?? review.proposed;
    model.actions?.answer(review, kind === "accepted" ? { kind, text } : { kind });
  };
  useLayoutEffect(() => {
    view.answer.value = canAnswer ? answer : undefined;
    return () => {
      view.answer.value = undefined;
    };
  }, [canAnswer, review, isConfirming]);
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
        <AnswerButtons />
      </div>
      {review.outside === true && (
        <OutsideWarning
          path={review.path}
          isConfirming={isConfirming}
          accept={() => answer("accepted")}
          cancel={() => setConfirming(false)}
        />
      )}
      <ReviewTools editor={editor} left={left} choice={live ? "answer" : "none"}>
        {live && <LineComments id={id} editor={editor} isWaiting={true} />}
      </ReviewTools>
      <p class="review-title hint" title={foreignText(review.title)}>
        Title: <ForeignText text={withoutOrnaments(review.title)} />
      </p>
      <ReviewNotes {...review} />
      <ProposalEditor {...{ review, live }} opened={editor} onstate={setLeft} />
    </div>
  );
}

function AnswerButtons() {
  const [accept, reject] = answerCommands(usePage());
  return (
    <>
      <CommandButton class="yes" command={accept}>
        Accept <kbd>{accept.keys?.slice(0, 1).map(printKey)}</kbd>
      </CommandButton>
      <CommandButton class="no" command={reject}>
        Reject <kbd>{reject.keys?.slice(0, 1).map(printKey)}</kbd>
      </CommandButton>
    </>
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
