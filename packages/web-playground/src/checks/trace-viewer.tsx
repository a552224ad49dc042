import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";

/** Shown while the list has the frames of the checks. */
export function TraceViewer() {
  const { model, view } = usePage();
  return (
    <p class="banner" data-testid="trace-viewer">
      <span>These are the frames of the checks.</span>
      <Button
        title="Back to the trace"
        run={() => {
          model.showOwnFrames();
          view.selected.value = undefined;
        }}
      />
    </p>
  );
}
