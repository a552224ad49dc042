import { countOf } from "@idewire/core/internal/base";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import type { WireTab } from "../state/view-state.ts";
import { set } from "../ui/controls.tsx";
import { Lazy } from "../ui/lazy.tsx";
import { TabStrip } from "../ui/tab-strip.tsx";
import { FrameList } from "./frame-list.tsx";
import { WireRow } from "./wire-row.tsx";

const tabs: readonly (readonly [WireTab, string])[] = [
  ["list", "List"],
  ["sequence", "Sequence"],
  ["dialects", "Dialects"],
  ["checks", "Checks"],
];
/** Dialects and checks are those of editors. */
const clientTabs = tabs.filter(([id]) => id === "list" || id === "sequence");
const filterBox = () => import("../page/when-idle.ts").then(({ FilterBox }) => FilterBox);
const filterIssue = () =>
  import("../page/when-idle.ts").then(({ FilterIssueLine }) => FilterIssueLine);
const sequence = () => import("./sequence-view.tsx").then(({ SequenceView }) => SequenceView);
const comparison = () =>
  import("./dialect-comparison.tsx").then(({ DialectComparison }) => DialectComparison);
const legend = () => import("../page/when-idle.ts").then(({ Legend }) => Legend);
const nothingFound = () => import("../page/when-idle.ts").then(({ NothingFound }) => NothingFound);
const checks = () => import("../checks/views.ts").then(({ ChecksView }) => ChecksView);
const traceViewer = () => import("../checks/views.ts").then(({ TraceViewer }) => TraceViewer);

/** The frames of both ends, newest at the bottom. */
export function WirePane() {
  const { view, model } = usePage();
  const { frames, issue, searching } = view.rows;
  const { length } = frames.value;
  const all = model.index.frames.length;
  const tab = view.wireTab.value;
  const ofFrames = tab === "list" || tab === "sequence";
  return (
    <CommandScope.Provider value="Wire">
      <section class="pane wire-pane" aria-label="Wire" data-pane="wire">
        <header class="bar wire-bar">
          <h2>Wire</h2>
          <TabStrip
            label="Views of the wire"
            panel="wire-view"
            tabs={model.inspector?.isClient === true ? clientTabs : tabs}
            open={tab}
            onopen={(id) => set(view.wireTab, id)()}
          />
          {/* Reserves its space while it loads. */}
          <div class={ofFrames ? "filter" : "spring"}>{ofFrames && <Lazy load={filterBox} />}</div>
          <span class="hint" data-testid="frames" data-frames={all} hidden={tab === "checks"}>
            {view.rows.isOff
              ? countOf(model.index.count, "event")
              : `${length} of ${countOf(all, "frame")}`}
            {searching.value && " so far"}
          </span>
        </header>
        {issue.value !== undefined && <Lazy load={filterIssue} />}
        {ofFrames && model.showsOtherFrames.value && <Lazy load={traceViewer} />}
        <div
          id="wire-view"
          class={model.index.channels.size > 1 ? "wire-view several" : "wire-view"}
          role="tabpanel"
          aria-labelledby={`tab-${tab}`}
        >
          {tab === "list" && <WireList />}
          {tab === "sequence" && <Lazy load={sequence} />}
          {tab === "dialects" && <Lazy load={comparison} />}
          {tab === "checks" && <Lazy load={checks} />}
          {ofFrames && <Lazy load={legend} />}
        </div>
      </section>
    </CommandScope.Provider>
  );
}

function WireList() {
  const { view } = usePage();
  const rows = view.rows.lines.value;
  if (rows.length === 0 && !view.rows.searching.value && view.filter.value !== "") {
    return <Lazy load={nothingFound} />;
  }
  return (
    <FrameList
      label="Frames"
      rows={rows}
      head={<WireHead />}
      draw={({ n }, place) => (
        <WireRow
          key={n}
          {...{ n, place, count: rows.length }}
          before={rows.list[place.index - 1]?.n}
        />
      )}
    />
  );
}

/** The names of the columns, short and in full. */
const columns = [
  ["#", "Number", "num"],
  ["ms", "Time since the start", "num"],
  ["+ms", "Time since the row before", "num since"],
  ["of day", "Time of day", "num day"],
  ["direction", "Direction", ""],
  ["conn.", "Connection", "channel"],
  ["what", "What", "what"],
  ["info", "Info", "info"],
  ["took", "Time from the request to the reply", "num rest"],
  ["size", "Size in characters", "num rest size"],
] as const;

function WireHead() {
  const hasSeveral = usePage().model.index.channels.size > 1;
  const shown = columns.filter(([, , marks]) => marks !== "channel" || hasSeveral);
  const draw = (wanted: (marks: string) => boolean) =>
    shown.map(
      ([short, name, marks]) =>
        wanted(marks) && (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          // biome-ignore lint/a11y/useSemanticElements: only some rows of the table are drawn
          <span
            key={name}
            class={marks}
            title={name}
            role="columnheader"
            aria-colindex={columns.findIndex((column) => column[1] === name) + 1}
            aria-label={name}
          >
            {short}
          </span>
        ),
    );
  const isNamed = (marks: string): boolean => marks === "what" || marks === "info";
  const isLast = (marks: string): boolean => marks.startsWith("num rest");
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    // biome-ignore lint/a11y/useSemanticElements: only some rows of the table are drawn
    <div class="wire-head" role="row" aria-rowindex={1}>
      {draw((marks) => !isNamed(marks) && !isLast(marks))}
      <span class="named" role="none">
        {draw(isNamed)}
      </span>
      {draw(isLast)}
    </div>
  );
}
