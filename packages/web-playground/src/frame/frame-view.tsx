import { countOf } from "@idewire/core/internal/base";
import { explainFrame, type FrameFacts, formatFrameAsTest } from "@idewire/devtools/internal";
import { useCallback, useMemo } from "preact/hooks";
import { effectsOf } from "../state/causes.ts";
import { exchangeOf, framesOf } from "../state/http-of.ts";
import { moveTo, shownNumberOf } from "../state/moments.ts";
import { describeNote } from "../state/notes.ts";
import { usePage } from "../state/page-context.ts";
import { rawOf } from "../state/raw-of.ts";
import { Button, set } from "../ui/controls.tsx";
import { copyText } from "../ui/copy.ts";
import { Fact } from "../ui/fact.tsx";
import { describeDuration, describeSize, describeTimeOfDay } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { Copy } from "../ui/icons.ts";
import { Lazy } from "../ui/lazy.tsx";
import { SourceLinks } from "../ui/source-links.tsx";
import { DirectionCell } from "../wire/direction.tsx";
import { nameOf } from "../wire/wire-row.tsx";
import { FindIn } from "./find-bar.tsx";
import { findInJson, findInText } from "./find-text.ts";
import { FrameMark } from "./frame-mark.tsx";
import { HttpView } from "./http-view.tsx";
import { decode } from "./json-text.ts";
import { JsonTree } from "./json-tree.tsx";
import { ProblemList } from "./problem-list.tsx";
import { type FrameProps, RawView } from "./raw-view.tsx";
import { SchemaView } from "./schema-view.tsx";

const callActions = () =>
  import("../inspect/call-actions.tsx").then(({ CallActions }) => CallActions);

/** The selected frame, in the open tab. */
export function FrameView() {
  const { view, model } = usePage();
  void model.version.value;
  const n = view.selected.value;
  const facts = n === undefined ? undefined : model.index.of(n);
  if (n !== undefined && facts === undefined) return <Note n={n} />;
  if (facts === undefined) return null;
  const raw = rawOf(model, facts.n);
  switch (view.frameTab.value) {
    case "summary":
      return <Summary facts={facts} raw={raw} />;
    case "tree":
      return <Tree facts={facts} raw={raw} />;
    case "raw":
      return <RawView key={facts.n} facts={facts} raw={raw} />;
    case "schema":
      return <SchemaView facts={facts} />;
  }
}

function Tree({ facts, raw }: FrameProps) {
  const { view, model } = usePage();
  const problems = model.problems.value?.of(facts.n) ?? [];
  return (
    <FindIn find={useFindInJson(raw)}>
      <JsonTree key={facts.n} text={raw} place={view.place.value} problems={problems} />
      <ProblemList n={facts.n} />
    </FindIn>
  );
}

/** Finds texts in a frame; the same function for the same frame. */
function useFindInJson(raw: string) {
  return useCallback(
    (text: string) => {
      const value = decode(raw);
      return value === undefined ? findInText(text, raw) : findInJson(text, value.json);
    },
    [raw],
  );
}

function Summary({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const ends = model.endsOf(facts.ch);
  const { sentence, source } = useMemo(() => explainFrame(facts, raw, ends), [facts, raw, ends]);
  const subject = facts.tool ?? facts.method;
  const event = model.log.at(facts.n);
  const exchange = exchangeOf(model, facts);
  return (
    <FindIn find={useFindInJson(raw)}>
      <p class="sentence">
        <ForeignText text={sentence} />
      </p>
      <dl class="facts">
        <Fact name="direction">
          <DirectionCell dir={facts.dir} ends={ends} />
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
        {exchange !== undefined && (
          <Fact name="sent by">
            <EventLink n={exchange.request.n} />
          </Fact>
        )}
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
      {model.inspector?.isClient && <Lazy load={callActions} props={{ facts }} />}
      <FrameMark n={facts.n} />
      <ProblemList n={facts.n} />
      <JsonTree
        key={facts.n}
        text={raw}
        place={undefined}
        problems={model.problems.value?.of(facts.n) ?? []}
      />
      <Actions facts={facts} raw={raw} />
    </FindIn>
  );
}

/** An event other than a frame: an action, or a change of the connection. */
function Note({ n }: { readonly n: number }) {
  const { model } = usePage();
  const event = model.log.at(n);
  if (event === undefined) return null;
  const exchange = model.index.http.of(n);
  if (exchange !== undefined) {
    return (
      <HttpView exchange={exchange}>
        {framesOf(model, exchange).map((frame) => (
          <Fact key={frame} name="carries">
            <EventLink n={frame} />
          </Fact>
        ))}
        <Times n={n} t={event.t} />
        <Links n={n} />
      </HttpView>
    );
  }
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

/** The time since the start, since the previous event, and the time of day. */
function Times({ n, t }: { readonly n: number; readonly t: number }) {
  const { model } = usePage();
  const { startedMs, index } = model;
  const before = index.eventOf(index.numberOf(n) - 1);
  return (
    <>
      <Fact name="since start">{describeDuration(t)}</Fact>
      {before !== undefined && (
        <Fact name={`since event ${index.numberOf(before.n)}`}>
          {describeDuration(t - before.t)}
        </Fact>
      )}
      {startedMs !== undefined && (
        <Fact name="time of day">{describeTimeOfDay(startedMs + t)}</Fact>
      )}
    </>
  );
}

/** The cause and the effects of an event. */
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
  const title =
    facts === undefined ? describeNote(event) : `frame ${facts.number}, ${nameOf(facts)}`;
  return <Button title={title} isForeign kind="link" run={() => view.show(n)} />;
}

function Actions({ facts, raw }: FrameProps) {
  const { model } = usePage();
  const isNow = model.cursor.value !== undefined && shownNumberOf(model) === facts.number;
  return (
    <div class="bar actions">
      <Button title="Copy JSON" icon={Copy} run={() => copyText(raw)} />
      <Button
        title="Copy as trace line"
        run={() => copyText(`${JSON.stringify(model.log.at(facts.n))}\n`)}
      />
      <Button
        title="Copy as test"
        data-testid="copy-test"
        run={() => copyText(asTest(facts, raw))}
      />
      {!model.showsOtherFrames.value && (
        <Button
          title={isNow ? "Back to now" : "Go to this moment"}
          run={() => (isNow ? set(model.cursor, undefined)() : moveTo(model, facts.number))}
        />
      )}
    </div>
  );

  function asTest(facts: FrameFacts, raw: string): string {
    const paired = facts.pair === undefined ? undefined : model.log.at(facts.pair);
    const request = facts.kind !== "request" && paired?.ev === "frame" ? { request: paired } : {};
    const problems = model.problems.value?.of(facts.n) ?? [];
    return formatFrameAsTest({ facts, raw, ...request, problems });
  }
}
