import type { CheckResult } from "@idewire/devtools/checks";
import { checks as allChecks } from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { useState } from "preact/hooks";
import { describeNote } from "../state/notes.ts";
import { usePage } from "../state/page-context.ts";
import { ChoiceList } from "../ui/choice-list.tsx";
import { Button } from "../ui/controls.tsx";
import { Fact } from "../ui/fact.tsx";
import { ForeignText } from "../ui/foreign-text.tsx";
import { SourceLinks } from "../ui/source-links.tsx";
import { DirectionCell, senderOf } from "../wire/direction.tsx";
import { nameOf } from "../wire/wire-row.tsx";
import type { EditorChecks } from "./checks.ts";

/** One rule: its source, the finding, and the frames as evidence. */
export function CheckDetails({ checks }: { readonly checks: EditorChecks }) {
  const { chosen, results } = checks;
  const facts = allChecks.find(({ id }) => id === chosen.value);
  if (facts === undefined) {
    return (
      <p class="hint checks-empty">Select a rule to see its source and the frames that prove it.</p>
    );
  }
  const result = results.value.get(facts.id);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="details check-details" tabIndex={0} aria-label={facts.id}>
      <p>
        <b>{facts.level}</b>: {facts.rule}
      </p>
      <dl class="facts">
        {result !== undefined && result.detail !== "" && (
          <Fact name={result.verdict === "skipped" ? "skipped" : "found"}>
            <span class={result.verdict === "fail" ? "issue" : undefined}>
              <ForeignText text={result.detail} />
            </span>
          </Fact>
        )}
        <Fact name="source">
          <SourceLinks source={facts.source} />
        </Fact>
        {facts.note !== undefined && <Fact name="note">{facts.note}</Fact>}
      </dl>
      {result !== undefined && <Proof key={facts.id} result={result} checks={checks} />}
    </section>
  );
}

interface ProofProps {
  readonly result: CheckResult;
  readonly checks: EditorChecks;
}

/** Selecting a frame shows it beside the list; Enter shows it in the list of all frames. */
function Proof({ result: { frames }, checks }: ProofProps) {
  const { view } = usePage();
  const [chosen, setChosen] = useState<string | undefined>();
  const { log } = checks.frames;
  const events = frames.flatMap((n) => log.at(n) ?? []);
  const show = (id: string): void => {
    setChosen(id);
    checks.show();
    view.show(Number(id.slice("proof-".length)));
  };
  const open = (id: string): void => {
    show(id);
    view.filter.value = "";
    view.wireTab.value = "list";
  };
  const [first] = events;
  if (first === undefined) return null;
  return (
    <>
      <div class="proof-head">
        <h3>Proof</h3>
        <Button
          title="Show in the wire list"
          kind="link"
          run={() => open(chosen ?? `proof-${first.n}`)}
          data-testid="show-proof"
        />
      </div>
      <ChoiceList
        label="Frames that prove it"
        testid="proof"
        chosen={chosen}
        onchoose={show}
        onopen={open}
        groups={[
          {
            choices: events.map((event) => ({
              id: `proof-${event.n}`,
              content: <ProofLine event={event} checks={checks} />,
            })),
          },
        ]}
      />
    </>
  );
}

function ProofLine({
  event,
  checks,
}: {
  readonly event: TraceEvent;
  readonly checks: EditorChecks;
}) {
  const facts = checks.frames.index.of(event.n);
  return (
    <span class="proof-line">
      <span class="num">{checks.frames.index.numberOf(event.n)}</span>
      {"dir" in event && (
        <span class={senderOf(event.dir)}>
          <DirectionCell dir={event.dir} />
        </span>
      )}
      <b>
        <ForeignText text={facts === undefined ? describeNote(event) : nameOf(facts)} />
      </b>
      {event.ev === "frame" && <ForeignText text={event.raw.slice(0, 160)} />}
    </span>
  );
}
