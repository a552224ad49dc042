import {
  type CauseLink,
  EventRows,
  type FrameFacts,
  firstFrom,
  isListed,
  type NumberedRows,
  type RequestBar,
  type SequenceLine,
  SequenceLines,
} from "@idewire/devtools/internal";
import type { TraceEvent } from "@idewire/devtools/trace";
import { useEffect, useMemo, useState } from "preact/hooks";
import { chainOf } from "../state/causes.ts";
import { describeNote, isNote } from "../state/notes.ts";
import { usePage } from "../state/page-context.ts";
import { describeDuration, describeTime } from "../ui/figures.ts";
import { ForeignText } from "../ui/foreign-text.tsx";
import { capital, senderOf } from "./direction.tsx";
import { FrameList, type RowPlace, rowHeight } from "./frame-list.tsx";
import { Badges, FrameName, marksOf, OptionRow } from "./wire-row.tsx";

/** The frames as arrows between two lanes, with their causes, pauses and pending requests. */
export function SequenceView() {
  const { view, model } = usePage();
  const { source: frames } = view.rows.frames.value;
  const { log, index } = model;
  const story = useMemo(() => new EventRows(log, isOfStory), [log]);
  story.update();
  const all = view.rows.isOff ? story : frames;
  const { after, upTo } = view.rows.range;
  const rows = useMemo(() => (after === 0 ? all : rowsAfter(after, all)), [all, after]);
  const sequence = useMemo(
    () => new SequenceLines({ log, index, rows, isNote }),
    [log, index, rows],
  );
  sequence.update();
  const { lines: list } = sequence;
  const last = model.cursor.value ?? upTo;
  const length = last === undefined ? list.length : sequence.countUpTo(last);
  const selected = view.selected.value;
  const chain = chainOf(model, selected);
  return (
    <>
      <div class="sequence-head" aria-hidden="true">
        <span class="agent">{capital(model.ends.agent)}</span>
        <span class="hint">time runs down</span>
        <span class="ide">{capital(model.ends.ide)}</span>
      </div>
      <FrameList
        label="Sequence of frames, as in the list"
        rows={{ list, length }}
        behind={(from, to) => (
          <>
            <i class="lifeline start" />
            <i class="lifeline end" />
            {sequence.barsWithin(from, to).map((bar) => (
              <WaitBar key={bar.n} bar={bar} last={length} />
            ))}
            {sequence.linksWithin(from, to).map(({ n, ...link }) => (
              <LinkLine
                key={n}
                {...link}
                strong={
                  (n === selected || chain.has(n)) &&
                  [...chain, selected].includes(list[link.from]?.n)
                }
              />
            ))}
          </>
        )}
        draw={(line, place) => (
          <SequenceRow key={`${line.kind}${line.n}`} line={line} place={place} count={length} />
        )}
      />
    </>
  );
}

/** Unlike the list, it includes the output of the agent. */
function isOfStory(event: TraceEvent): boolean {
  return event.ev === "frame" || isNote(event);
}

/** The events after one. */
function rowsAfter(n: number, all: NumberedRows): NumberedRows {
  return {
    get rows() {
      return all.rows.slice(firstFrom(all.rows, n + 1));
    },
    get revision() {
      return all.revision;
    },
  };
}

/** A line from a cause to its effect. */
function LinkLine({ from, to, strong }: Omit<CauseLink, "n"> & { readonly strong: boolean }) {
  const rowPx = rowHeight(usePage().view);
  const style = { top: `${(from + 0.5) * rowPx}px`, height: `${(to - from) * rowPx}px` };
  return <i class={strong ? "cause-link strong" : "cause-link"} style={style} />;
}

/** A pending request, at the lane of the peer that has to answer. */
function WaitBar({ bar, last }: { readonly bar: RequestBar; readonly last: number }) {
  const { from, to, lane, fromIde, t } = bar;
  const rowPx = rowHeight(usePage().view);
  const height = (Math.min(to ?? last, last) - from) * rowPx;
  const style = { top: `${from * rowPx + rowPx / 2}px`, height: `${height}px`, "--lane": lane };
  return (
    <i
      class={`wait-bar ${fromIde ? "at-agent" : "at-ide"}${to === undefined ? " open" : ""}`}
      style={style}
    >
      {to === undefined && <Waiting since={t} />}
    </i>
  );
}

/** The elapsed time, by the clock of the session. */
function Waiting({ since }: { readonly since: number }) {
  const { model } = usePage();
  const [nowMs, setNowMs] = useState(model.log.nowMs);
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(model.log.nowMs), 500);
    return () => window.clearInterval(timer);
  }, [model]);
  if (model.kind.value === "replay" || model.showsOtherFrames.value)
    return <span class="waiting">no answer</span>;
  const seconds = Math.max(0, nowMs - since) / 1000;
  return <span class="waiting">waits {seconds.toFixed(seconds < 10 ? 1 : 0)} s</span>;
}

interface SequenceRowProps {
  readonly line: SequenceLine;
  readonly place: RowPlace;
  readonly count: number;
}

function SequenceRow({ line, place, count }: SequenceRowProps) {
  const facts = line.kind === "frame" ? usePage().model.index.of(line.n) : undefined;
  const marks = `sequence-row ${line.kind} ${directionOf(line, facts)}`;
  return (
    <OptionRow n={line.n} class={marks} place={place} count={count}>
      {facts === undefined ? <Between line={line} /> : <Arrow facts={facts} />}
    </OptionRow>
  );
}

function directionOf(line: SequenceLine, facts: FrameFacts | undefined): string {
  if (line.kind === "note") return marksOf(line.event, undefined);
  if (facts === undefined) return "";
  return `${marksOf(undefined, facts)}${facts.lost === true ? " lost" : ""}`;
}

function Between({ line }: { readonly line: SequenceLine }) {
  if (line.kind === "gap") return <span class="pause">{describeDuration(line.ms)} idle</span>;
  if (line.kind === "frame") return null;
  const isNumbered = isListed(line.event);
  return (
    <>
      {isNumbered && (
        <span class="num ordinal">{usePage().model.index.numberOf(line.event.n)}</span>
      )}
      <span class="note-text">
        <ForeignText text={describeNote(line.event)} />
      </span>
    </>
  );
}

function Arrow({ facts }: { readonly facts: FrameFacts }) {
  const { model } = usePage();
  const ends = model.endsOf(facts.ch);
  // Above the lanes are the names of the others.
  const isNamed = ends !== model.ends;
  return (
    <>
      <span class="num ordinal">{facts.number}</span>
      <span class="num">{describeTime(facts.t)}</span>
      <span class={isNamed ? "arrow named-ends" : "arrow"}>
        {isNamed && <EndOfArrow name={ends.agent} />}
        <span class="label">
          <span class="visually-hidden">{capital(ends[senderOf(facts.dir)])} sends </span>
          <FrameName facts={facts} />
          <Badges facts={facts} />
          {facts.kind !== "request" && facts.durationMs !== undefined && (
            <small class="after"> after {describeDuration(facts.durationMs)}</small>
          )}
        </span>
        {isNamed && <EndOfArrow name={ends.ide} />}
      </span>
    </>
  );
}

function EndOfArrow({ name }: { readonly name: string }) {
  return (
    <span class="end-of-arrow" aria-hidden="true">
      {capital(name)}
    </span>
  );
}
