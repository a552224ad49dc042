import { Button } from "./controls.tsx";
import type { IconNode } from "./icon.tsx";
import { type SplitterProps, sizeOf, togglePane } from "./pane-size.ts";

interface PaneToggleProps {
  /** What the pane shows, as in `the editor`. */
  readonly pane: string;
  readonly icon: IconNode;
  readonly splitter: Pick<SplitterProps, "name" | "start">;
}

/** Collapses a pane, or opens it again. */
export function PaneToggle({ pane, icon, splitter }: PaneToggleProps) {
  const isOpen = sizeOf(splitter) > 0;
  return (
    <Button
      title={`${isOpen ? "Hide" : "Show"} the ${pane}`}
      icon={icon}
      kind="icon"
      class="pane-toggle"
      run={() => togglePane(splitter)}
    />
  );
}
