import { usePage } from "../state/page-context.ts";

/** What is listed is not what the session has said. */
export function TraceViewer() {
  const { model, view } = usePage();
  return (
    <p class="banner" data-testid="trace-viewer">
      <span>These are the frames of the checks.</span>
      <button
        type="button"
        onClick={() => {
          model.lookBack();
          view.selected.value = undefined;
        }}
      >
        Back to the session
      </button>
    </p>
  );
}
