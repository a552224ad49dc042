import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { panesOf, titleOf } from "./panes.ts";

/** On a phone, where one pane is shown at a time: the way to the others. */
export function PaneTabs() {
  const { view, model } = usePage();
  model.version.value;
  const { count } = model.index;
  return (
    <>
      {panesOf(model).map((name) => (
        <Button key={name} aria-pressed={view.pane.value === name} onClick={set(view.pane, name)}>
          {name === "wire" ? `Wire ${count}` : titleOf(name, model)}
        </Button>
      ))}
    </>
  );
}
