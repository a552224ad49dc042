import { findHidden } from "@idewire/core";
import { explainFrame, type FrameFacts, formatFrameAsTest } from "@idewire/devtools/trace";
import { useMemo, useState } from "preact/hooks";
import { effectsOf } from "../state/causes.ts";
import { describeNote } from "../state/notes.ts";
import { usePage } from "../state/page-context.ts";
import { Button, set } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { Fact } from "../ui/fact.tsx";
import { countOf, describeDuration, describeSize, describeTimeOfDay } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { SourceLinks } from "../ui/source-links.tsx";
import { DirectionCell } from "../wire/direction.tsx";
import { nameOf } from "../wire/wire-row.tsx";
import { FrameMark } from "./frame-mark.tsx";
import { JsonTree } from "./json-tree.tsx";
import { ProblemList } from "./problem-list.tsx";
import { SchemaView } from "./schema-view.tsx";

/** More of a frame than this is shown on demand. */
const SHOWN_UNITS = 64_000;

/** The chosen frame, in the tab that is open. */
export function FrameView() {
  const { view, model } = usePage();
  model.version.value;
  const n = view.selected.value;
  const facts = n === undefined ? undefined : model.index.of(n);
  if (n !== undefined && facts === undefined) return <Note n={n} />;
  if (facts === undefined) return null;
  const raw = model.rawOf(facts.n);
  switch (view.frameTab.value) {
    case "summary":
      return <Summary facts={facts} raw={raw} />;
    case "tree":
      return <Tree facts={facts} raw={raw} />;
    case "raw":
      return <Raw key={facts.n} facts={facts} raw={raw} />;
    case "schema":
      return <SchemaView facts={facts} />;
  }
}

interface FrameProps {
  readonly facts: FrameFacts;
  readonly raw: string;
}

function Tree({ facts, raw }: FrameProps) {
  const { view, model } = usePage();
  const problems = model.problems.value?.of(facts.n) ?? [];
  const place = view.place.value;
  return (
    <>
      <JsonTree key={`${facts.n} ${place}`} text={raw} place={place} problems={problems} />
      <ProblemList n={facts.n} />
    </>
  );
}

function Summary({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const { sentence, source } = useMemo(() => explainFrame(facts, raw), [facts, raw]);
  const subject = facts.tool ?? facts.method;
  const event = model.log.at(facts.n);
  return (
    <>
      <p class="sentence">
        <ForeignText text={sentence} />
      </p>
      <dl class="facts">
        <Fact name="direction">
          <DirectionCell dir={facts.dir} />
        </Fact>
        <Times n={facts.n} t={facts.t} />
        <Fact name="size">{describeSize(facts.units)} characters</Fact>
        {facts.id !== undefined && (
          <Fact name="id">
            <ForeignText text={JSON.stringify(facts.id)} />
          </Fact>
        )}
        {facts.durationMs !== undefined && (
          <Fact name="took">{describeDuration(facts.durationMs)}</Fact>
        )}
        {model.index.channels.size > 1 && <Fact name="connection">{facts.ch}</Fact>}
        {event?.ev === "frame" && event.pieces !== undefined && (
          <Fact name="received in">{countOf(event.pieces, "chunk")}</Fact>
        )}
        {facts.fault !== undefined && <Fact name="fault">{facts.fault}</Fact>}
        {facts.pair !== undefined && (
          <Fact name={facts.kind === "request" ? "answered by" : "answers"}>
            <EventLink n={facts.pair} />
          </Fact>
        )}
        <Links n={facts.n} />
        {source !== undefined && (
          <Fact name="source">
            <SourceLinks source={source} {...(subject !== undefined && { subject })} />
          </Fact>
        )}
      </dl>
      <FrameMark n={facts.n} />
      <ProblemList n={facts.n} />
      <JsonTree
        key={facts.n}
        text={raw}
        place={undefined}
        problems={model.problems.value?.of(facts.n) ?? []}
      />
      <Actions facts={facts} raw={raw} />
    </>
  );
}

/** An event that is no frame: an action, or a change of the connection. */
function Note({ n }: { readonly n: number }) {
  const event = usePage().model.log.at(n);
  if (event === undefined) return null;
  return (
    <>
      <p class="sentence">
        <ForeignText text={describeNote(event)} />
      </p>
      <dl class="facts">
        <Times n={n} t={event.t} />
        <Links n={n} />
      </dl>
    </>
  );
}

/** When it was: since the start, since the event before, and of day. */
function Times({ n, t }: { readonly n: number; readonly t: number }) {
  const { model } = usePage();
  const { beganMs, index } = model;
  const before = index.eventOf(index.numberOf(n) - 1);
  return (
    <>
      <Fact name="since start">{describeDuration(t)}</Fact>
      {before !== undefined && (
        <Fact name={`since event ${index.numberOf(before.n)}`}>
          {describeDuration(t - before.t)}
        </Fact>
      )}
      {beganMs !== undefined && <Fact name="time of day">{describeTimeOfDay(beganMs + t)}</Fact>}
    </>
  );
}

/** What led to an event, and what it led to. */
function Links({ n }: { readonly n: number }) {
  const { model } = usePage();
  const cause = model.log.at(n)?.by;
  const effects = effectsOf(model, n);
  return (
    <>
      {cause !== undefined && (
        <Fact name="because">
          <EventLink n={cause} />
        </Fact>
      )}
      {effects.length > 0 && (
        <Fact name="led to">
          {effects.slice(0, 8).map((effect) => (
            <div key={effect}>
              <EventLink n={effect} />
            </div>
          ))}
        </Fact>
      )}
    </>
  );
}

function EventLink({ n }: { readonly n: number }) {
  const { model, view } = usePage();
  const event = model.log.at(n);
  const facts = model.index.of(n);
  if (event === undefined) return <>no longer kept</>;
  return (
    <Button class="link" onClick={() => view.show(n)}>
      <ForeignText
        text={facts === undefined ? describeNote(event) : `frame ${facts.number}, ${nameOf(facts)}`}
      />
    </Button>
  );
}

function Actions({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const isNow = model.cursor.value !== undefined && model.shownNumber === facts.number;
  return (
    <div class="bar actions">
      <Button onClick={() => copyText(raw)}>Copy JSON</Button>
      <Button onClick={() => copyText(`${JSON.stringify(model.log.at(facts.n))}\n`)}>
        Copy as trace line
      </Button>
      <Button data-testid="copy-test" onClick={() => copyText(asTest(facts, raw))}>
        Copy as test
      </Button>
      {!model.showsOther.value && (
        <Button
          onClick={() => (isNow ? set(model.cursor, undefined)() : model.moveTo(facts.number))}
        >
          {isNow ? "Back to now" : "Go to this moment"}
        </Button>
      )}
    </div>
  );

  function asTest(facts: FrameFacts, raw: string): string {
    const asked = facts.pair === undefined ? undefined : model.log.at(facts.pair);
    const request = facts.kind !== "request" && asked?.ev === "frame" ? { request: asked } : {};
    const problems = model.problems.value?.of(facts.n) ?? [];
    return formatFrameAsTest({ facts, raw, ...request, problems });
  }
}

function Raw({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const [whole, setWhole] = useState(false);
  const [draft, setDraft] = useState(raw);
  // A text field cannot show hidden characters.
  const hides = useMemo(() => findHidden(raw).next().done !== true, [raw]);
  const isCut = (raw.length > SHOWN_UNITS || hides) && !whole;
  const { simulation, inspector } = model;
  // Frames of the editor were sent to this page: there is nowhere to send them again.
  const isOurs = simulation !== undefined || (inspector?.canSend && facts.dir === "agent>ide");
  const canSend = isOurs && !model.showsOther.value;
  const send = (): void => {
    void inspector?.send(draft);
    simulation?.perform("person", `sends frame ${facts.number} again`, () =>
      simulation.send(facts.dir, draft, facts.n),
    );
  };
  return (
    <>
      {isCut ? (
        <>
          <pre class="raw">
            <ForeignText text={raw.slice(0, SHOWN_UNITS)} />
          </pre>
          <Button onClick={() => setWhole(true)}>
            {hides ? "Show the raw text" : `Show all ${describeSize(raw.length)} characters`}
          </Button>
        </>
      ) : (
        <textarea
          class="raw"
          spellcheck={false}
          aria-label={`The frame as it was sent${canSend ? "; edit it to send another" : ""}`}
          readOnly={!canSend}
          value={draft}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      )}
      <div class="bar actions">
        <Button onClick={() => copyText(raw)}>Copy</Button>
        {canSend && !isCut && (
          <Button data-testid="resend" disabled={!model.isReachable} onClick={send}>
            {draft === raw ? "Send again" : "Send edited"}
          </Button>
        )}
      </div>
    </>
  );
}
