import { useMemo, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { ShadowHost } from "../ui/shadow-host.tsx";
import { createReviewEditor, type ReviewEditor } from "./review-editor.ts";
import { describeAddedCharacters, describeHiddenChanges } from "./review-notes.ts";

/** The proposal that waits for the person, whole and in parts. */
export function Review({ id, live }: { readonly id: string; readonly live: boolean }) {
  const { model } = usePage();
  const { reviews } = model.state.value;
  const review = useRef(reviews.find((one) => one.id === id)).current;
  const editor = useRef<ReviewEditor | undefined>(undefined);
  const [chunks, setChunks] = useState(0);
  const canAnswer = live && model.isReachable;
  const notes = useMemo(
    () => (review === undefined ? [] : describeHiddenChanges(review)),
    [review],
  );
  const added = useMemo(
    () => (review === undefined ? undefined : describeAddedCharacters(review)),
    [review],
  );
  if (review === undefined) return null;
  const answer = (kind: "accepted" | "rejected" | "closed"): void => {
    const text = editor.current?.text ?? review.proposed;
    model.actions?.answer(review, kind === "accepted" ? { kind, text } : { kind });
  };
  return (
    <div class="review" data-testid="review">
      <div class="bar actions">
        <span class="path">
          Change of <ForeignText text={review.path} />
          <small>
            {reviews.length > 1 ? `${reviews.length} wait, ` : ""}
            {chunks === 1 ? "1 part" : `${chunks} parts`}
          </small>
        </span>
        <button type="button" class="yes" disabled={!canAnswer} onClick={() => answer("accepted")}>
          Accept
        </button>
        <button type="button" class="no" disabled={!canAnswer} onClick={() => answer("rejected")}>
          Reject
        </button>
        <button type="button" disabled={!canAnswer} onClick={() => answer("closed")}>
          Close
        </button>
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
