import type { FrameFacts, FrameIndex } from "@idewire/devtools/trace";
import { useRef } from "preact/hooks";
import { usePage } from "../state/page-context.ts";
import { Later } from "../ui/later.tsx";
import { panesOf, titleOf } from "./panes.ts";

const notes = () => import("./dialogs.ts").then(({ PresenterNotes }) => PresenterNotes);
const allSeen = () => import("./when-idle.ts").then(({ AllSeen }) => AllSeen);
const pastWords = () => import("./when-idle.ts").then(({ Past }) => Past);
const recording = () => import("./when-idle.ts").then(({ Recording }) => Recording);
const tourWords = () => import("./when-idle.ts").then(({ TourWords }) => TourWords);
const inspectWords = () => import("../inspect/views.ts").then(({ InspectGuide }) => InspectGuide);
const liveWords = () => import("../live/views.ts").then(({ LiveGuide }) => LiveGuide);

interface Lesson {
  readonly words: string;
  /** Whether what it asks for has been done. */
  readonly done: boolean;
}

/** What was said so far, and how many frames were looked at for it. */
interface LessonProgress {
  readonly index: FrameIndex;
  count: number;
  readonly output: Set<string>;
}

/** What a newcomer does next, or what the tour says. */
export function Guide() {
  const { player, model, view } = usePage();
  const tour = player.playback.value;
  const pending = model.isReachable ? model.state.value.reviews.length : 0;
  const past = model.cursor.value;
  const kind = model.kind.value;
  const isLive = kind === "live";
  return (
    <footer class="guide">
      <p class="words" role="status" data-testid="guide">
        {player.problem.value ??
          (isLive ? (
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
      {past !== undefined && <Later load={pastWords} />}
      <Scrubber />
      {pending > 0 && (
        <span class="hint">
          {pending === 1 ? "1 change waits for you" : `${pending} changes wait for you`}
        </span>
      )}
      <PaneTabs />
    </footer>
  );
}

/** The first half minute: each step is done by doing it. */
function Lessons() {
  const { model } = usePage();
  model.version.value;
  const waits = model.state.value.reviews.length > 0;
  const { index } = model.own;
  const { frames } = index;
  const seen = useRef<LessonProgress>({ index, count: 0, output: new Set() });
  if (seen.current.index !== index) seen.current = { index, count: 0, output: new Set() };
  const { output } = seen.current;
  // Only what is new is looked at: this is drawn with every frame that comes.
  for (; seen.current.count < frames.length; seen.current.count += 1) {
    const { kind, method, tool } = frames[seen.current.count] as FrameFacts;
    const isAnswer = kind === "result" || kind === "error";
    output.add(`${isAnswer ? "answer of " : ""}${tool ?? method}`);
  }
  const lessons: readonly Lesson[] = [
    {
      words: "The agent has found the editor and shaken hands. Now select some text in the editor.",
      done: output.has("selection_changed"),
    },
    {
      words: "The agent knows your selection. Send it the file: press “Mention”.",
      done: output.has("at_mentioned"),
    },
    {
      words: "Now press “Ask for a change”, below in the agent.",
      done: output.has("openDiff"),
    },
    {
      words: "The agent waits for you. Look at the change and accept it, all or in part.",
      done: output.has("answer of openDiff"),
    },
  ];
  // A change that waits is what matters, whichever lessons were left out.
  const at = waits ? 3 : lessons.findIndex(({ done }) => !done);
  if (at === -1) return <Later load={allSeen} />;
  return (
    <>
      <b>
        Step {at + 1} of {lessons.length}.
      </b>{" "}
      {lessons[at]?.words}
    </>
  );
}

/** Moves through time: editor, tabs, waiting changes and transcript move together. */
function Scrubber() {
  const { model } = usePage();
  model.version.value;
  const { last } = model.own.log;
  return (
    <label class="scrubber">
      <span class="hint">Moment</span>
      <input
        type="range"
        min="1"
        max={Math.max(1, last)}
        value={model.cursor.value ?? last}
        data-testid="scrubber"
        aria-valuetext={`event ${model.cursor.value ?? last} of ${last}`}
        onInput={({ currentTarget }) => {
          const n = Number(currentTarget.value);
          model.cursor.value = n >= last ? undefined : n;
        }}
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
        <button
          type="button"
          key={name}
          aria-pressed={view.pane.value === name}
          onClick={() => {
            view.pane.value = name;
          }}
        >
          {name === "wire" ? `Wire ${count}` : titleOf(name, model)}
        </button>
      ))}
    </nav>
  );
}
