import type { FrameIndex } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import type { FrameTab } from "../state/view-state.ts";
import { set } from "../ui/controls.tsx";
import { Lazy } from "../ui/lazy.tsx";
import { TabStrip } from "../ui/tab-strip.tsx";

const tabs: readonly (readonly [FrameTab, string])[] = [
  ["summary", "Summary"],
  ["tree", "Tree"],
  ["raw", "Raw"],
  ["schema", "Schema"],
];
const noFrame = () => import("../page/when-idle.ts").then(({ NoFrame }) => NoFrame);
const frame = () => import("./frame-view.tsx").then(({ FrameView }) => FrameView);

function titleOf(event: TraceEvent, index: FrameIndex): string {
  if (event.ev === "transcript") return "Output";
  const kind = event.ev === "frame" ? "Frame" : event.ev === "http" ? "Request" : "Event";
  return `${kind} ${index.numberOf(event.n)}`;
}

/** One frame: summary, tree, raw text and schema. */
export function FramePane() {
  const { view, model } = usePage();
  void model.version.value;
  const n = view.selected.value;
  const chosen = n === undefined ? undefined : model.log.at(n);
  const tab = view.frameTab.value;
  return (
    <CommandScope.Provider value="Frame">
      <section class="pane frame-pane" aria-label="Frame" data-pane="frame">
        <header class="bar">
          <h2>{chosen === undefined ? "Frame" : titleOf(chosen, model.index)}</h2>
          <TabStrip
            label="Views of the frame"
            panel="frame-view"
            tabs={tabs}
            open={tab}
            onopen={(id) => set(view.frameTab, id)()}
          />
        </header>
        <div
          id="frame-view"
          class="frame-view"
          role="tabpanel"
          aria-labelledby={`tab-${tab}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
          tabIndex={0}
          data-testid="frame-view"
        >
          {chosen === undefined ? <Lazy load={noFrame} /> : <Lazy load={frame} />}
        </div>
      </section>
    </CommandScope.Provider>
  );
}
