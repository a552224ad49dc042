import type { FrameTab } from "../view-state.ts";
import { Later } from "./later.tsx";
import { useParts } from "./parts.ts";

const tabs: readonly (readonly [FrameTab, string])[] = [
  ["summary", "Summary"],
  ["tree", "Tree"],
  ["raw", "Raw"],
  ["schema", "Schema"],
];
const frame = () => import("./frame-view.tsx").then(({ FrameView }) => FrameView);

/** One frame: in words, as a tree, to the letter, and what is laid down for it. */
export function FramePane() {
  const { view, session } = useParts();
  session.version.value;
  const n = view.selected.value;
  const chosen = n === undefined ? undefined : session.index.of(n);
  const tab = view.frameTab.value;
  return (
    <section class="pane frame-pane" aria-label="Frame" data-pane="frame">
      <header class="bar">
        <h2>Frame{chosen === undefined ? "" : ` ${chosen.n}`}</h2>
        <div role="tablist" aria-label="Views of the frame" class="tabs">
          {tabs.map(([id, label]) => (
            <button
              type="button"
              role="tab"
              key={id}
              id={`tab-${id}`}
              aria-selected={tab === id}
              aria-controls="frame-view"
              class="tab"
              onClick={() => {
                view.frameTab.value = id;
              }}
            >
              {label}
            </button>
          ))}
        </div>
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
          <p class="empty">
            Choose a frame in the list: here is what it says, and why it was sent.
          </p>
        ) : (
          <Later load={frame} />
        )}
      </div>
    </section>
  );
}
