import { usePage } from "../state/page-context.ts";

/** What a newcomer is told who has done all lessons. */
export function AllSeen() {
  const { model } = usePage();
  model.version.value;
  const { frames } = model.own.index;
  return (
    <>
      <b>You have seen the whole protocol: {frames.length} frames.</b> Choose a tour above, break it
      with Faults, or connect a real agent with <code>idewire serve</code>.
    </>
  );
}

/** A filter that nothing passes, and the way out. */
export function NothingFound() {
  const { view } = usePage();
  return (
    <div class="empty">
      <p>No frame passes this filter.</p>
      <button
        type="button"
        onClick={() => {
          view.filter.value = "";
        }}
      >
        Show all
      </button>
    </div>
  );
}
