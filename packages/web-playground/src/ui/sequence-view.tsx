import type { FrameFacts, GestureEvent } from "@idewire/core/trace";
import { useEffect, useMemo, useState } from "preact/hooks";
import { describeTime } from "../words.ts";
import { FrameList, ROW, type RowPlace } from "./frame-list.tsx";
import { useParts } from "./parts.ts";
import { Badges, nameOf } from "./wire-row.tsx";

/** A pause longer than this is drawn as a gap. */
const GAP_MS = 400;
/** Requests that wait beside each other. */
const MAX_BARS = 4;

type Line =
  | { readonly n: number; readonly kind: "frame"; readonly facts: FrameFacts }
  | {
      readonly n: number;
      readonly kind: "gesture";
      readonly who: GestureEvent["who"];
      readonly text: string;
    }
  | { readonly n: number; readonly kind: "gap"; readonly ms: number };

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
  const rows = view.rows.value;
  const { log } = session;
  const lines = useMemo(() => toLines(rows, (n) => gestureOf(n)), [rows, log]);
  const bars = useMemo(() => toBars(lines), [lines]);
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

  /** What brought a frame about, when somebody did. */
  function gestureOf(n: number): (GestureEvent & { n: number }) | undefined {
    const by = log.at(n)?.by;
    const cause = by === undefined ? undefined : log.at(by);
    return cause?.ev === "gesture" ? cause : undefined;
  }
}

function toLines(
  rows: readonly FrameFacts[],
  gestureOf: (n: number) => (GestureEvent & { n: number }) | undefined,
): readonly Line[] {
  const lines: Line[] = [];
  let last = 0;
  let lastMs: number | undefined;
  for (const facts of rows) {
    const cause = gestureOf(facts.n);
    const pause = lastMs === undefined ? 0 : facts.t - lastMs;
    // A gap has a number between its neighbours: the lines are in the order of their numbers.
    if (pause > GAP_MS) lines.push({ n: last + 0.5, kind: "gap", ms: pause });
    if (cause !== undefined && cause.n > last) {
      lines.push({ n: cause.n, kind: "gesture", who: cause.who, text: cause.text });
    }
    lines.push({ n: facts.n, kind: "frame", facts });
    last = facts.n;
    lastMs = facts.t;
  }
  return lines;
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
  const height = ((to ?? last) - from) * ROW;
  const style = { top: `${from * ROW + ROW / 2}px`, height: `${height}px`, "--lane": lane };
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

function SequenceRow({ line, place: { index, selected, related }, count }: SequenceRowProps) {
  const { view } = useParts();
  const chosen = [selected && "chosen", related && "related"];
  const marks = ["wire-row sequence-row", line.kind, ...chosen, directionOf(line)];
  const choose = (): void => {
    if (line.kind === "frame") view.show(line.n);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`frame-${line.n}`}
      class={marks.filter(Boolean).join(" ")}
      style={{ top: `${index * ROW}px` }}
      role="option"
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={choose}
    >
      <Content line={line} />
    </div>
  );
}

function directionOf(line: Line): string {
  if (line.kind === "gap") return "";
  if (line.kind === "gesture") return line.who === "person" ? "ide" : "agent";
  const lost = line.facts.lost === true ? " lost" : "";
  return `${line.facts.dir === "ide>agent" ? "ide" : "agent"}${lost}`;
}

function Content({ line }: { readonly line: Line }) {
  if (line.kind === "gap") return <span class="pause">{describeTime(line.ms)} ms nothing</span>;
  if (line.kind === "gesture") {
    return (
      <span class="deed">
        the {line.who} {line.text}
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
