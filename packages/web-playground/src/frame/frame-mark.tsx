import { usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { Flag } from "../ui/icons.ts";

/** Marks an event with a note; both are saved with the trace. */
export function FrameMark({ n }: { readonly n: number }) {
  const { model } = usePage();
  const note = model.log.at(n)?.mark;
  const mark = (text: string | undefined): void => {
    model.log.mark(n, text);
    model.redraw();
  };
  if (note === undefined) {
    return (
      <div class="bar actions">
        <Button title="Mark" icon={Flag} data-testid="mark" run={() => mark("")} />
      </div>
    );
  }
  return (
    <div class="bar actions mark-note">
      <label>
        Note{" "}
        <input
          value={note}
          maxLength={4000}
          data-testid="note"
          onInput={({ currentTarget }) => mark(currentTarget.value)}
        />
      </label>
      <Button title="Remove the mark" run={() => mark(undefined)} />
    </div>
  );
}
