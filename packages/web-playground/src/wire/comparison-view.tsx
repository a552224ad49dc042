import {
  type ComparedAction,
  type ComparedFrame,
  compareAction,
  compareDialects,
  comparedActions,
  toComparisonLines,
  type DialectView as View,
} from "@idewire/devtools/simulation";
import { useEffect, useState } from "preact/hooks";
import { ForeignText } from "../ui/foreign-text.tsx";

interface ComparedDialect {
  readonly view: View;
  readonly frames: readonly ComparedFrame[];
}

/** One act as every dialect spells it, side by side. */
export function DialectView() {
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="lens" tabIndex={0} aria-label="Dialects" data-testid="lens">
      <label>
        What happens{" "}
        <select
          data-testid="compared-action"
          value={action?.id}
          onChange={({ currentTarget }) => {
            setAction(comparedActions.find(({ id }) => id === currentTarget.value));
          }}
        >
          {comparedActions.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">
        Each dialect's own server does it in a fresh editor; these are the frames. Marked lines are
        not as Claude Code has them.
      </p>
      <div class="lens-columns">
        {seen.map(({ view, frames }) => (
          <Column key={view.id} view={view} frames={frames} first={first?.frames ?? []} />
        ))}
      </div>
    </section>
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
    <section class="lens-column" data-testid={`lens-${view.id}`}>
      <h3>{view.title}</h3>
      <p class="hint">{view.spokenBy}</p>
      {frames.length === 0 && <p class="empty">Nothing is said.</p>}
      {frames.map((frame, at) => {
        const reference = isFirst ? undefined : (counterpart(frame, first)?.message ?? {});
        return (
          <ul class="lens-lines" key={at}>
            <li class={frame.dir === "ide>agent" ? "who ide" : "who agent"}>
              {frame.dir === "ide>agent" ? "IDE ▸ agent" : "agent ▸ IDE"}
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

/** What the first dialect says at the same point: a notification, a call or an answer. */
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
