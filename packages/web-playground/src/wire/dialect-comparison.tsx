import {
  type ComparedAction,
  type ComparedFrame,
  compareAction,
  compareDialects,
  comparedActions,
  toComparisonLines,
  type DialectView as View,
} from "@idewire/devtools/internal";
import { useEffect, useState } from "preact/hooks";
import { CommandScope } from "../commands/use-command.ts";
import { Select } from "../ui/controls.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { DirectionCell, senderOf } from "./direction.tsx";

interface ComparedDialect {
  readonly view: View;
  readonly frames: readonly ComparedFrame[];
}

/** One action as every dialect sends it, side by side. */
export function DialectComparison() {
  const [action, setAction] = useState<ComparedAction | undefined>(comparedActions[0]);
  const [seen, setSeen] = useState<readonly ComparedDialect[]>([]);
  useEffect(() => {
    if (action === undefined) return;
    let wanted = true;
    const look = async (view: View): Promise<ComparedDialect> => ({
      view,
      frames: await compareAction(view, action),
    });
    void Promise.all(compareDialects.map(look)).then((all) => {
      if (wanted) setSeen(all);
    });
    return () => {
      wanted = false;
    };
  }, [action]);
  const [first] = seen;
  return (
    <CommandScope.Provider value="Dialect comparison">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section class="dialects" tabIndex={0} aria-label="Dialect comparison" data-testid="dialects">
        <Select
          label="Action"
          value={action?.id ?? ""}
          testid="compared-action"
          options={comparedActions.map(({ id, title }) => [id, title] as const)}
          onselect={(chosen) => setAction(comparedActions.find(({ id }) => id === chosen))}
        />
        <p class="hint">
          Each dialect's own server performs it in a fresh editor. Marked lines differ from Claude
          Code's.
        </p>
        <div class="dialect-columns">
          {seen.map(({ view, frames }) => (
            <Column key={view.id} view={view} frames={frames} first={first?.frames ?? []} />
          ))}
        </div>
      </section>
    </CommandScope.Provider>
  );
}

interface ColumnProps {
  readonly view: View;
  readonly frames: readonly ComparedFrame[];
  readonly first: readonly ComparedFrame[];
}

function Column({ view, frames, first }: ColumnProps) {
  const isFirst = frames === first;
  return (
    <section class="dialect-column" data-testid={`dialect-${view.id}`}>
      <h3>{view.title}</h3>
      <p class="hint">{view.spokenBy}</p>
      {frames.length === 0 && <p class="empty">No frames.</p>}
      {frames.map((frame, at) => {
        const reference = isFirst ? undefined : (counterpart(frame, first)?.message ?? {});
        return (
          <ul class="dialect-lines" key={at}>
            <li class={`sender ${senderOf(frame.dir)}`}>
              <DirectionCell dir={frame.dir} />
            </li>
            {toComparisonLines(frame.message, reference).map(
              ({ depth, name, text, differs }, line) => (
                <li
                  key={line}
                  class={differs ? "differs" : ""}
                  style={{ paddingInlineStart: `${5 + depth * 12}px` }}
                >
                  {differs && <span class="visually-hidden">differs: </span>}
                  <span class="key">{name}: </span>
                  <ForeignText text={text} />
                </li>
              ),
            )}
          </ul>
        );
      })}
    </section>
  );
}

/** The frame of the first dialect at the same point: a notification, a call or an answer. */
function counterpart(
  { dir, message }: ComparedFrame,
  first: readonly ComparedFrame[],
): ComparedFrame | undefined {
  const kindOf = (one: ComparedFrame["message"]): string =>
    "result" in one || "error" in one
      ? "answer"
      : one["method"] === "tools/call"
        ? "call"
        : "event";
  return first.find((one) => one.dir === dir && kindOf(one.message) === kindOf(message));
}
