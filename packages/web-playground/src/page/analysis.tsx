import { CompareDialog } from "../compare/compare-dialog.tsx";
import { LatencyDialog } from "../latency/latency-dialog.tsx";
import { ReplayDialog } from "../replay/replay-dialog.tsx";
import { ScenarioDialog } from "../scenario/scenario-dialog.tsx";
import { usePage } from "../state/page-context.ts";

/** One chunk of the page: views of a whole trace. */
export function AnalysisDialog() {
  const name = usePage().view.dialog.value;
  if (name === "compare") return <CompareDialog />;
  if (name === "replay") return <ReplayDialog />;
  return name === "latency" ? <LatencyDialog /> : <ScenarioDialog />;
}
