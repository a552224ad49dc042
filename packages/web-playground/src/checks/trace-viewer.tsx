import { useParts } from "../state/parts.ts";

/** What is listed is not what the session has said. */
export function TraceViewer() {
  const { session, view } = useParts();
  return (
    <p class="banner" data-testid="aside">
      <span>These are the frames of the checks.</span>
      <button
        type="button"
        onClick={() => {
          session.lookBack();
          view.selected.value = undefined;
        }}
      >
        Back to the session
      </button>
    </p>
  );
}
