import type { FrameIndex } from "@idewire/devtools/internal";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { usePage } from "../state/page-context.ts";
import { Lazy } from "../ui/lazy.tsx";

const notes = () => import("./dialogs.ts").then(({ PresenterNotes }) => PresenterNotes);
const allDone = () => import("./when-idle.ts").then(({ AllDone }) => AllDone);
const scrubber = () => import("./when-idle.ts").then(({ Scrubber }) => Scrubber);
const paneTabs = () => import("./when-idle.ts").then(({ PaneTabs }) => PaneTabs);
const past = () => import("./when-idle.ts").then(({ Past }) => Past);
const recording = () => import("./when-idle.ts").then(({ Recording }) => Recording);
const toReview = () => import("./when-idle.ts").then(({ ToReview }) => ToReview);
const tourWords = () => import("./when-idle.ts").then(({ TourWords }) => TourWords);

/** The frames that the lessons have processed so far. */
interface LessonProgress {
  readonly index: FrameIndex;
  count: number;
  /** Methods and tools, and `answer of` them. */
  readonly names: Set<string>;
}

interface GuideProps {
  /** What to do next. */
  readonly children: ComponentChildren;
  /** Leaves the slider out. */
  readonly still?: boolean;
}

/** The next lesson or the text of the tour, the slider of moments, and on narrow screens the panes. */
export function Guide({ children, still = false }: GuideProps) {
  const { player, model } = usePage();
  const pending = model.isReachable ? model.state.value.reviews.length : 0;
  return (
    <footer class="guide">
      <p class="words" role="status" data-testid="guide">
        {player.problem.value ?? children}
      </p>
      {model.cursor.value !== undefined && <Lazy load={past} />}
      {!still && <Lazy load={scrubber} />}
      {pending > 0 && <Lazy load={toReview} />}
      {/* Reserves its space while it loads. */}
      <CommandScope.Provider value="Panes">
        <nav class="pane-tabs" aria-label="Panes">
          <Lazy load={paneTabs} />
        </nav>
      </CommandScope.Provider>
    </footer>
  );
}

/** The text beside a simulation, a tour or a recorded log. */
export function SimulationWords() {
  const { player, model, view } = usePage();
  if (model.kind.value === "replay") return <Lazy load={recording} />;
  if (player.playback.value === undefined) return <Lessons />;
  return (
    <>
      <Lazy load={tourWords} />
      {view.presenter.value && <Lazy load={notes} />}
    </>
  );
}

/** Each lesson, and the method or tool that completes it. */
const lessons = [
  ["The agent found the editor and connected. Now select some text.", "selection_changed"],
  ["The agent has your selection. To add the file to its prompt, press “Mention”.", "at_mentioned"],
  ["Now press “Ask for a change” in the Agent pane.", "openDiff"],
  [
    "The agent waits for your answer. Review the diff and accept it, whole or in part.",
    "answer of openDiff",
  ],
] as const;

/** The lessons of the first half minute. */
function Lessons() {
  const { model } = usePage();
  void model.version.value;
  const { index } = model.own;
  const seen = useRef<LessonProgress>({ index, count: 0, names: new Set() });
  if (seen.current.index !== index) seen.current = { index, count: 0, names: new Set() };
  const { names } = seen.current;
  // Only new frames: this is rendered with every frame.
  for (const { kind, method, tool } of index.frames.slice(seen.current.count)) {
    const isAnswer = kind === "result" || kind === "error";
    names.add(`${isAnswer ? "answer of " : ""}${tool ?? method}`);
  }
  seen.current.count = index.frames.length;
  // A pending diff comes first, even if earlier lessons are not done.
  const isPending = model.state.value.reviews.length > 0;
  const at = isPending ? 3 : lessons.findIndex(([, name]) => !names.has(name));
  if (at === -1) return <Lazy load={allDone} />;
  return (
    <>
      <b>
        Step {at + 1} of {lessons.length}.
      </b>{" "}
      {lessons[at]?.[0]}
    </>
  );
}
