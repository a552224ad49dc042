import type { Change } from "@idewire/core/internal";
import { type FrameFacts, outcomeOf, summariseFrame } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { loggedChangesOf } from "../review/logged-changes.ts";
import { usePage } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import { rawOf } from "../state/raw-of.ts";
import { describeSeconds } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";

/** What a frame is about; of a diff, also its size and how it ended. */
export function RowInfo({ facts }: { readonly facts: FrameFacts }) {
  const { model } = usePage();
  const raw = rawOf(model, facts.n);
  const ended = outcomeOf(facts, raw);
  if (ended !== undefined) return <span class={ended}>{ended}</span>;
  const counts = countsOf(model, facts);
  const outcome = outcomeOfRequest(model, facts);
  return (
    <>
      <ForeignText text={summariseFrame(facts, raw)} />
      {counts !== undefined && (
        <>
          {" "}
          <span class="added-count">+{counts.added}</span>{" "}
          <span class="removed-count">-{counts.removed}</span>
        </>
      )}
      {outcome !== undefined && facts.durationMs !== undefined && (
        <>
          {" "}
          → {outcome}, {describeSeconds(facts.durationMs)}
        </>
      )}
    </>
  );
}

function outcomeOfRequest({ index, log }: PageModel, { kind, pair }: FrameFacts) {
  const answer = kind !== "request" || pair === undefined ? undefined : index.of(pair);
  return answer && outcomeOf(answer, rawOf({ log }, answer.n));
}

/** How many events after a request are searched for its review. */
const REACH = 20;

/** The review that a request has opened: its effect, or the first after it, where causes are not recorded. */
function openedBy({ log }: PageModel, n: number): TraceEvent | undefined {
  const from = Math.max(0, n - log.dropped);
  return log.events
    .slice(from, from + REACH)
    .find(
      ({ by, ...event }) =>
        event.ev === "editor" &&
        event.change.kind === "review-opened" &&
        (by === undefined || by === n),
    );
}

/** The lines that a proposal adds and removes, as the list of changes has counted them. */
function countsOf(
  model: PageModel,
  { n, kind, tool }: FrameFacts,
): Pick<Change, "added" | "removed"> | undefined {
  if (kind !== "request" || tool === undefined || !/^open_?diff/i.test(tool)) return undefined;
  // Read first: a row that is drawn before its review opens is drawn again once it has.
  const changes = (model.live?.changes ?? loggedChangesOf(model)).all.value;
  const opened = openedBy(model, n);
  if (opened?.ev !== "editor" || opened.change.kind !== "review-opened") return undefined;
  const { id } = opened.change;
  return changes.find((change) => change.id === id);
}
