import { type Change, describeChangeState, isOpenChange } from "@idewire/core/internal";
import { CommandScope } from "../commands/use-command.ts";
import type { ReadableChanges } from "../state/changes.ts";
import { type PageContext, usePage } from "../state/page-context.ts";
import { Button } from "../ui/controls.tsx";
import { describeClock } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";

/** The proposals and edits of agents, newest first, after those that can still be decided. */
export function ChangesList({ changes }: { readonly changes: ReadableChanges }) {
  const all = changes.all.value;
  if (all.length === 0) return null;
  const waiting = all.filter(isOpenChange);
  const sorted = [...waiting, ...all.filter((change) => !isOpenChange(change))];
  return (
    <CommandScope.Provider value="Changes">
      <section class="changes" aria-label="Changes" data-testid="changes">
        <header class="bar">
          <h2>Changes</h2>
          {waiting.length > 0 && <span class="count">{waiting.length} to decide</span>}
        </header>
        <ul>
          {sorted.map((change) => (
            <Item key={change.id} change={change} />
          ))}
        </ul>
      </section>
    </CommandScope.Provider>
  );
}

function Item({ change }: { readonly change: Change }) {
  const page = usePage();
  const { id, path, agent, added, removed, state, openedMs, endedMs, isReadable } = change;
  const { view } = page;
  // A change that is read covers the review.
  const isShown = (view.change.value ?? view.review.value) === id;
  return (
    <li>
      <Button
        title={path}
        class="change"
        data-state={state}
        aria-current={isShown}
        when={() => isReadable}
        needsConnection={state !== "waiting"}
        run={() => openChange(page, change)}
      >
        <span class="change-name">
          <ForeignText text={path} />
        </span>
        <span class="change-counts">
          <span class="added-count">+{added}</span> <span class="removed-count">-{removed}</span>
        </span>
        <span class="change-facts">
          <span class="change-state">{describeChangeState(state)}</span>
          {" · "}
          <ForeignText text={describeAgent(change, agent)} />
          {" · "}
          <time dateTime={new Date(endedMs ?? openedMs).toISOString()}>
            {describeClock(endedMs ?? openedMs)}
          </time>
        </span>
      </Button>
    </li>
  );
}

function openChange({ view }: PageContext, { id, state }: Change): void {
  if (state === "waiting") {
    view.review.value = id;
    view.openReview();
  } else {
    view.change.value = id;
    view.pane.value = "editor";
  }
}

/** The writer of a file may be another program, if no agent has announced it. */
function describeAgent({ isCertain }: Change, agent: string): string {
  return isCertain === false ? `perhaps ${agent}` : agent;
}
