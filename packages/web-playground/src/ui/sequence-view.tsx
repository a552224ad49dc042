import type { FrameFacts, TraceEvent } from "@idewire/core/trace";
import { useEffect, useMemo, useState } from "preact/hooks";
import { chainOf } from "../links.ts";
import { describeNote, isNote, type Row, sideOf } from "../notes.ts";
import { describeTime } from "../words.ts";
import { FrameList, type RowPlace, rowHeight } from "./frame-list.tsx";
import { useParts } from "./parts.ts";
import { Badges, nameOf, OptionRow } from "./wire-row.tsx";

/** A pause longer than this is drawn as a gap. */
const GAP_MS = 400;
/** Requests that wait beside each other. */
const MAX_BARS = 4;

type Line =
  | { readonly n: number; readonly kind: "frame"; readonly facts: FrameFacts }
  | { readonly n: number; readonly kind: "note"; readonly event: TraceEvent }
  | { readonly n: number; readonly kind: "gap"; readonly ms: number };

/** From what happened to what it brought about, both of them lines. */
interface Link {
  readonly n: number;
  readonly from: number;
  readonly to: number;
}

/** A request that waits, from its line to that of its answer. */
interface Bar {
  readonly n: number;
  readonly from: number;
  /** Undefined while it waits. */
  readonly to: number | undefined;
  /** Which of those beside each other it is. */
  readonly lane: number;
  readonly fromIde: boolean;
  readonly t: number;
}

/** The frames as arrows between two lanes, with pauses, what brought them about, and who waits. */
export function SequenceView() {
  const { view, session } = useParts();
  const rows = view.lines.value;
  const { log } = session;
  const lines = useMemo(() => toLines(rows, (n) => noteBefore(n)), [rows, log]);
  const bars = useMemo(() => toBars(lines), [lines]);
  const links = useMemo(() => toLinks(lines, (n) => log.at(n)?.by), [lines, log]);
  const selected = view.selected.value;
  const chain = chainOf(session, selected);
  return (
    <>
      <div class="sequence-head" aria-hidden="true">
        <span class="agent">Agent</span>
        <span class="hint">time flows down</span>
        <span class="ide">IDE</span>
      </div>
      <FrameList
        label="Sequence of frames; the list has the same"
        rows={lines}
        behind={(from, to) => (
          <>
            <i class="lifeline start" />
            <i class="lifeline end" />
            {bars
              .filter((bar) => bar.from < to && (bar.to ?? lines.length) >= from)
              .map((bar) => (
                <WaitBar key={bar.n} bar={bar} last={lines.length} />
              ))}
            {links
              .filter((link) => link.from < to && link.to >= from)
              .map(({ n, ...link }) => (
                <LinkLine
                  key={n}
                  {...link}
                  strong={
                    (n === selected || chain.has(n)) &&
                    [...chain, selected].includes(lines[link.from]?.n)
                  }
                />
              ))}
          </>
        )}
        draw={(line, place) => (
          <SequenceRow
            key={`${line.kind}${line.n}`}
            line={line}
            place={place}
            count={lines.length}
          />
        )}
      />
    </>
  );

  /** What brought a frame about, when that was no frame. */
  function noteBefore(n: number): TraceEvent | undefined {
    const by = log.at(n)?.by;
    const cause = by === undefined ? undefined : log.at(by);
    return cause !== undefined && isNote(cause) ? cause : undefined;
  }
}

function toLines(
  rows: readonly Row[],
  noteBefore: (n: number) => TraceEvent | undefined,
): readonly Line[] {
  const lines: Line[] = [];
  let last = 0;
  let lastMs: number | undefined;
  for (const row of rows) {
    const pause = lastMs === undefined ? 0 : row.t - lastMs;
    // A gap has a number between its neighbours: the lines are in the order of their numbers.
    if (pause > GAP_MS) lines.push({ n: last + 0.5, kind: "gap", ms: pause });
    const cause = "ev" in row ? undefined : noteBefore(row.n);
    // Where a filter hides what is no frame, a cause is shown with its frame.
    if (cause !== undefined && cause.n > last) {
      lines.push({ n: cause.n, kind: "note", event: cause });
    }
    lines.push(
      "ev" in row
        ? { n: row.n, kind: "note", event: row }
        : { n: row.n, kind: "frame", facts: row },
    );
    last = row.n;
    lastMs = row.t;
  }
  return lines;
}

function toLinks(
  lines: readonly Line[],
  causeOf: (n: number) => number | undefined,
): readonly Link[] {
  const indexOf = new Map(lines.map(({ n }, index) => [n, index]));
  return lines.flatMap(({ n }, to) => {
    const cause = causeOf(n);
    const from = cause === undefined ? undefined : indexOf.get(cause);
    return from === undefined ? [] : [{ n, from, to }];
  });
}

/** Leads from what happened to what it brought about. */
function LinkLine({ from, to, strong }: Omit<Link, "n"> & { readonly strong: boolean }) {
  const rowPx = rowHeight(useParts().view);
  const style = { top: `${(from + 0.5) * rowPx}px`, height: `${(to - from) * rowPx}px` };
  return <i class={strong ? "cause-link strong" : "cause-link"} style={style} />;
}

function toBars(lines: readonly Line[]): readonly Bar[] {
  const indexOf = new Map(lines.map(({ n }, index) => [n, index]));
  const busy: number[] = [];
  const bars: Bar[] = [];
  for (const [from, line] of lines.entries()) {
    if (line.kind !== "frame" || line.facts.kind !== "request") continue;
    const { pair, dir, t, n } = line.facts;
    const to = pair === undefined ? undefined : indexOf.get(pair);
    // Answered, by a frame that the filter hides.
    if (pair !== undefined && to === undefined) continue;
    let lane = 0;
    while (lane < MAX_BARS - 1 && (busy[lane] ?? -1) >= from) lane += 1;
    busy[lane] = to ?? Number.POSITIVE_INFINITY;
    bars.push({ n, from, to, lane, fromIde: dir === "ide>agent", t });
  }
  return bars;
}

/** Stands at the lane of whoever has to answer. */
function WaitBar({ bar, last }: { readonly bar: Bar; readonly last: number }) {
  const { from, to, lane, fromIde, t } = bar;
  const rowPx = rowHeight(useParts().view);
  const height = ((to ?? last) - from) * rowPx;
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

/** Counts on the clock of the session. */
function Waiting({ since }: { readonly since: number }) {
  const { session } = useParts();
  const [nowMs, setNowMs] = useState(session.log.nowMs);
  useEffect(() => {
    const timer = window.setInterval(() => setNowMs(session.log.nowMs), 500);
    return () => window.clearInterval(timer);
  }, [session]);
  if (session.kind.value === "replay") return <span class="waiting">no answer</span>;
  const seconds = Math.max(0, nowMs - since) / 1000;
  return <span class="waiting">waits {seconds.toFixed(seconds < 10 ? 1 : 0)} s</span>;
}

interface SequenceRowProps {
  readonly line: Line;
  readonly place: RowPlace;
  readonly count: number;
}

function SequenceRow({ line, place, count }: SequenceRowProps) {
  const marks = `sequence-row ${line.kind} ${directionOf(line)}`;
  return (
    <OptionRow n={line.n} class={marks} place={place} count={count}>
      <Content line={line} />
    </OptionRow>
  );
}

function directionOf(line: Line): string {
  if (line.kind === "gap") return "";
  if (line.kind === "note") return sideOf(line.event);
  const lost = line.facts.lost === true ? " lost" : "";
  return `${line.facts.dir === "ide>agent" ? "ide" : "agent"}${lost}`;
}

function Content({ line }: { readonly line: Line }) {
  if (line.kind === "gap") return <span class="pause">{describeTime(line.ms)} ms nothing</span>;
  if (line.kind === "note") {
    return (
      <span class="deed">
        <bdi>{describeNote(line.event)}</bdi>
      </span>
    );
  }
  const { facts } = line;
  return (
    <>
      <span class="num">{describeTime(facts.t)}</span>
      <span class="arrow">
        <span class="label">
          <span class="visually-hidden">
            {facts.dir === "ide>agent" ? "IDE says" : "Agent says"}{" "}
          </span>
          {nameOf(facts)}
          {facts.tool !== undefined && <b> {facts.tool}</b>}
          <Badges facts={facts} />
          {facts.kind !== "request" && facts.durationMs !== undefined && (
            <small class="after"> after {describeTime(facts.durationMs)} ms</small>
          )}
        </span>
      </span>
    </>
  );
}
