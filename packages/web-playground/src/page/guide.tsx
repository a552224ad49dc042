import type { FrameFacts, FrameIndex } from "@idewire/devtools/trace";
import { useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { Later } from "../ui/later.tsx";
import { panesOf, titleOf } from "./panes.ts";

const notes = () => import("./dialogs.ts").then(({ PresenterNotes }) => PresenterNotes);
const allDone = () => import("./when-idle.ts").then(({ AllDone }) => AllDone);
const past = () => import("./when-idle.ts").then(({ Past }) => Past);
const recording = () => import("./when-idle.ts").then(({ Recording }) => Recording);
const tourWords = () => import("./when-idle.ts").then(({ TourWords }) => TourWords);
const inspectWords = () => import("../inspect/views.ts").then(({ InspectGuide }) => InspectGuide);
const liveWords = () => import("../live/views.ts").then(({ LiveGuide }) => LiveGuide);

/** The frames that the lessons have looked at so far. */
interface LessonProgress {
  readonly index: FrameIndex;
  count: number;
  /** Methods and tools, and `answer of` them. */
  readonly names: Set<string>;
}

/** What to do next, or the text of the tour; the moment that is shown; on a phone the panes. */
export function Guide() {
  const { player, model, view } = usePage();
  const tour = player.playback.value;
  const pending = model.isReachable ? model.state.value.reviews.length : 0;
  const kind = model.kind.value;
  return (
    <footer class="guide">
      <p class="words" role="status" data-testid="guide">
        {player.problem.value ??
          (kind === "live" ? (
            <Later load={model.inspector ? inspectWords : liveWords} />
          ) : kind === "replay" ? (
            <Later load={recording} />
          ) : tour === undefined ? (
            <Lessons />
          ) : (
            <Later load={tourWords} />
          ))}
        {view.presenter.value && tour !== undefined && <Later load={notes} />}
      </p>
      {model.cursor.value !== undefined && <Later load={past} />}
      <Scrubber />
      {pending > 0 && (
        <span class="hint">{pending === 1 ? "1 diff" : `${pending} diffs`} to review</span>
      )}
      <PaneTabs />
    </footer>
  );
}

/** Each lesson, and what a frame names when it is done. */
const lessons = [
  ["The agent found the editor and connected. Now select some text.", "selection_changed"],
  ["The agent has your selection. To add the file to its prompt, press “Mention”.", "at_mentioned"],
  ["Now press “Ask for a change” in the Agent pane.", "openDiff"],
  [
    "The agent waits for your answer. Review the diff and accept it, whole or in part.",
    "answer of openDiff",
  ],
] as const;

/** The first half minute: each step is done by doing it. */
function Lessons() {
  const { model } = usePage();
  model.version.value;
  const { index } = model.own;
  const seen = useRef<LessonProgress>({ index, count: 0, names: new Set() });
  if (seen.current.index !== index) seen.current = { index, count: 0, names: new Set() };
  const { names } = seen.current;
  // Only new frames: this is drawn with every frame.
  for (const { kind, method, tool } of index.frames.slice(seen.current.count) as FrameFacts[]) {
    const isAnswer = kind === "result" || kind === "error";
    names.add(`${isAnswer ? "answer of " : ""}${tool ?? method}`);
  }
  seen.current.count = index.frames.length;
  // A pending diff comes first, whichever lessons were left out.
  const isPending = model.state.value.reviews.length > 0;
  const at = isPending ? 3 : lessons.findIndex(([, name]) => !names.has(name));
  if (at === -1) return <Later load={allDone} />;
  return (
    <>
      <b>
        Step {at + 1} of {lessons.length}.
      </b>{" "}
      {lessons[at]?.[0]}
    </>
  );
}

/** Moves through time: editor, tabs, pending diffs and transcript move together. */
function Scrubber() {
  const { model } = usePage();
  model.version.value;
  const { last } = model.own.log;
  const n = model.cursor.value ?? last;
  return (
    <label class="scrubber">
      <span class="hint">Moment</span>
      <input
        type="range"
        min="1"
        max={Math.max(1, last)}
        value={n}
        data-testid="scrubber"
        aria-valuetext={`event ${n} of ${last}`}
        onInput={({ currentTarget }) => model.moveTo(Number(currentTarget.value))}
      />
    </label>
  );
}

function PaneTabs() {
  const { view, model } = usePage();
  model.version.value;
  const count = model.index.frames.length;
  return (
    <nav class="pane-tabs" aria-label="Panes">
      {panesOf(model).map((name) => (
        <Button key={name} aria-pressed={view.pane.value === name} onClick={set(view.pane, name)}>
          {name === "wire" ? `Wire ${count}` : titleOf(name, model)}
        </Button>
      ))}
    </nav>
  );
}
