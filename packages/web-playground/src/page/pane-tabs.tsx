import { countOf } from "@idewire/core/internal/base";
import { usePage } from "../state/page-context.ts";
import { panesOf, titleOf } from "../state/panes.ts";
import { Button, set } from "../ui/controls.tsx";

/** Switches panes on narrow screens, which show one at a time. */
export function PaneTabs() {
  const { view, model } = usePage();
  void model.version.value;
  const { count } = model.index;
  const pending = model.isReachable ? model.state.value.reviews.length : 0;
  return (
    <>
      {panesOf(model).map((name) => (
        <Button
          title={name === "wire" ? `Wire ${count}` : titleOf(name, model)}
          key={name}
          aria-pressed={view.pane.value === name}
          run={set(view.pane, name)}
        >
          {name === "wire" ? `Wire ${count}` : titleOf(name, model)}
          {name === "editor" && pending > 0 && (
            <span class="count" role="img" aria-label={`${countOf(pending, "diff")} to review`}>
              {pending}
            </span>
          )}
        </Button>
      ))}
    </>
  );
}
