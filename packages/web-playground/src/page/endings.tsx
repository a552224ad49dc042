import { countOf } from "@idewire/core/internal/base";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { MousePointerClick, SearchX } from "../ui/icons.ts";

/** Shown when all lessons are done. */
export function AllDone() {
  const { model } = usePage();
  void model.version.value;
  const { frames } = model.own.index;
  return (
    <>
      <b>You have seen the whole protocol: {frames.length} frames.</b> Choose a tour above, break it
      with Faults, or connect a real agent with <code>idewire serve</code>.
    </>
  );
}

/** Shown while diffs are pending; opens the review. */
export function ToReview() {
  const { model, view } = usePage();
  const { length } = model.state.value.reviews;
  return (
    <Button
      title={`${countOf(length, "diff")} to review`}
      class="to-review"
      run={() => view.openReview()}
    />
  );
}

/** Shown above a file that was opened while diffs are pending. */
export function ReviewsWait() {
  const { model, view } = usePage();
  const { length } = model.state.value.reviews;
  return (
    <p class="banner" data-testid="reviews-wait">
      <span>
        {countOf(length, "diff")} {length === 1 ? "waits" : "wait"} for your answer.
      </span>
      <Button title="Back to the review" run={() => view.openReview()} />
    </p>
  );
}

/** Shown when no frame is selected. */
export function NoFrame() {
  const { model, view } = usePage();
  void model.version.value;
  const [first] = model.index.frames;
  return (
    <EmptyState icon={MousePointerClick}>
      <p>Select a frame to see its content and its cause.</p>
      {first !== undefined && (
        <Button title="Show the first frame" run={() => view.show(first.n)} />
      )}
    </EmptyState>
  );
}

/** Shown when no frame passes the filter. */
export function NothingFound() {
  const { view } = usePage();
  return (
    <EmptyState icon={SearchX}>
      <p>No frames match this filter.</p>
      <Button title="Show all" run={set(view.filter, "")} />
    </EmptyState>
  );
}
