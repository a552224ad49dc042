import { useParts } from "../state/parts.ts";

/** What a newcomer is told who has done all lessons. */
export function AllSeen() {
  const { session } = useParts();
  session.version.value;
  const { frames } = session.own.index;
  return (
    <>
      <b>You have seen the whole protocol: {frames.length} frames.</b> Choose a tour above, break it
      with Faults, or connect a real agent with <code>idewire serve</code>.
    </>
  );
}

/** A filter that nothing passes, and the way out. */
export function NothingFound() {
  const { view } = useParts();
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
