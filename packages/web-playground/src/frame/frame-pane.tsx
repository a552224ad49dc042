import { usePage } from "../state/page-context.ts";
import type { FrameTab } from "../state/view-state.ts";
import { Button, set } from "../ui/controls.tsx";
import { Later } from "../ui/later.tsx";
import { TabStrip } from "../ui/tab-strip.tsx";

const tabs: readonly (readonly [FrameTab, string])[] = [
  ["summary", "Summary"],
  ["tree", "Tree"],
  ["raw", "Raw"],
  ["schema", "Schema"],
];
const frame = () => import("./frame-view.tsx").then(({ FrameView }) => FrameView);

/** One frame: in words, as a tree, as it was sent, and its schema. */
export function FramePane() {
  const { view, model } = usePage();
  model.version.value;
  const n = view.selected.value;
  const chosen = n === undefined ? undefined : model.log.at(n);
  const tab = view.frameTab.value;
  const [first] = model.index.frames;
  return (
    <section class="pane frame-pane" aria-label="Frame" data-pane="frame">
      <header class="bar">
        <h2>
          {chosen === undefined || n === undefined
            ? "Frame"
            : chosen.ev === "frame"
              ? `Frame ${model.index.ordinalOf(n)}`
              : `Event ${n}`}
        </h2>
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
        {chosen === undefined ? (
          <div class="empty">
            <p>Select a frame to see what it says and why it was sent.</p>
            {first !== undefined && (
              <Button onClick={() => view.show(first.n)}>Show the first frame</Button>
            )}
          </div>
        ) : (
          <Later load={frame} />
        )}
      </div>
    </section>
  );
}
