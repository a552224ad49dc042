import { useMemo, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { countOf } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShadowHost } from "../ui/shadow-host.tsx";
import { createReviewEditor, type ReviewEditor } from "./review-editor.ts";
import { describeAddedCharacters, describeHiddenChanges } from "./review-notes.ts";

/** The review of a pending diff, whole or hunk by hunk. */
export function Review({ id, live }: { readonly id: string; readonly live: boolean }) {
  const { model } = usePage();
  const { reviews } = model.state.value;
  const review = useRef(reviews.find((one) => one.id === id)).current;
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [chunks, setChunks] = useState(0);
  const canAnswer = live && model.isReachable;
  const notes = useMemo(() => (review ? describeHiddenChanges(review) : []), [review]);
  const added = useMemo(() => review && describeAddedCharacters(review), [review]);
  if (review === undefined) return null;
  const answer = (kind: "accepted" | "rejected" | "closed"): void => {
    const text = editor.current?.text ?? review.proposed;
    model.actions?.answer(review, kind === "accepted" ? { kind, text } : { kind });
  };
  return (
    <div class="review" data-testid="review">
      <div class="bar actions">
        <span class="path">
          Diff of <ForeignText text={review.path} />
          <small>
            {reviews.length > 1 ? `${reviews.length} pending, ` : ""}
            {countOf(chunks, "hunk")}
          </small>
        </span>
        <Button class="yes" disabled={!canAnswer} onClick={() => answer("accepted")}>
          Accept
        </Button>
        <Button class="no" disabled={!canAnswer} onClick={() => answer("rejected")}>
          Reject
        </Button>
        <Button disabled={!canAnswer} onClick={() => answer("closed")}>
          Close
        </Button>
      </div>
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
      <ShadowHost<ReviewEditor>
        text={review.proposed}
        onopen={(opened) => {
          editor.current = opened;
        }}
        open={async (root) =>
          createReviewEditor(root, { ...review, readOnly: !live, onchunks: setChunks })
        }
      />
    </div>
  );
}
