import { RefusedPage } from "../live/refused.tsx";
import { Workbench } from "../page/workbench.tsx";
import { usePage } from "../state/page-context.ts";
import { InspectBar } from "./inspect-bar.tsx";
import { InspectGuide, inspectCommand } from "./inspect-guide.tsx";
import { InspectPane } from "./inspect-pane.tsx";
import { inspectorOf } from "./inspector.ts";

/** Both peers of an inspection and the frames between them. */
export function InspectPage() {
  const inspector = inspectorOf(usePage().model);
  if (inspector?.link.status.value === "refused" && inspector.facts.value === undefined) {
    return (
      <RefusedPage
        words={inspector.link.words.value}
        way="press Enter"
        runs="idewire inspect"
        command={inspectCommand(undefined)}
      />
    );
  }
  return (
    <Workbench title="Inspector" bar={<InspectBar />} words={<InspectGuide />}>
      <InspectPane />
    </Workbench>
  );
}
