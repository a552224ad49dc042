import { completeFilter, type FrameFacts } from "@idewire/core/trace";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeSize, describeTime } from "../words.ts";
import { useParts } from "./parts.ts";

const ROW = 24;

/** Everything that both ends said, newest at the bottom. */
export function WirePane() {
  const { view, session } = useParts();
  const rows = view.rows.value;
  const all = session.index.frames.length;
  return (
    <section class="pane wire-pane" aria-label="Wire" data-pane="wire">
      <header class="bar">
        <h2>Wire</h2>
        <FilterBox />
        <span class="hint" data-testid="frames" data-frames={all}>
          {rows.length === all ? countFrames(all) : `${rows.length} of ${countFrames(all)}`}
        </span>
      </header>
      {view.filterIssue.value !== undefined && (
        <p class="issue" role="status">
          {view.filterIssue.value}
        </p>
      )}
      <div class="wire-head" aria-hidden="true">
        <span>#</span>
        <span>ms</span>
        <span>from</span>
        <span>what</span>
        <span>took</span>
        <span>size</span>
      </div>
      <WireList rows={rows} />
    </section>
  );
}

function countFrames(count: number): string {
  return count === 1 ? "1 frame" : `${count} frames`;
}

function FilterBox() {
  const { view, session } = useParts();
  const [focused, setFocused] = useState(false);
  const value = view.filter.value;
  const options = focused ? completeFilter(value, value.length, session.index.frames) : [];
  return (
    <div class="filter">
      <input
        type="search"
        value={value}
        placeholder="filter, as dir:out method:tools/call"
        aria-label="Filter frames"
        aria-invalid={view.filterIssue.value !== undefined}
        list="filter-options"
        data-testid="filter"
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onInput={(event) => {
          view.filter.value = event.currentTarget.value;
        }}
      />
      <datalist id="filter-options">
        {options.slice(0, 20).map(({ text, about, from }) => (
          <option key={text} value={value.slice(0, from) + text}>
            {about}
          </option>
        ))}
      </datalist>
    </div>
  );
}

function WireList({ rows }: { readonly rows: readonly FrameFacts[] }) {
  const { view, session } = useParts();
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const [follows, setFollows] = useState(true);
  const selected = view.selected.value;
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (follows) list.current?.scrollTo(0, rows.length * ROW);
  }, [rows.length, follows]);
  const from = Math.max(0, Math.floor(top / ROW) - 8);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW) + 8);
  const choose = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined || list.current === null) return;
    view.selected.value = row.n;
    const place = rows.indexOf(row) * ROW;
    if (place < list.current.scrollTop) list.current.scrollTop = place;
    const bottom = list.current.scrollTop + list.current.clientHeight;
    if (place + ROW > bottom) list.current.scrollTop += place + ROW - bottom;
  };
  const chosen = rows.findIndex(({ n }) => n === selected);
  const related = relatedTo(selected, session);
  return (
    <>
      <div
        class="wire-list"
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label="Frames"
        aria-activedescendant={chosen === -1 ? undefined : `frame-${selected}`}
        onScroll={({ currentTarget }) => {
          setTop(currentTarget.scrollTop);
          const rest =
            currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight;
          setFollows(rest < ROW * 2);
        }}
        onKeyDown={(event) => {
          const page = Math.max(1, Math.floor(height / ROW) - 1);
          const target = {
            ArrowDown: chosen + 1,
            ArrowUp: chosen - 1,
            Home: 0,
            End: rows.length - 1,
          }[event.key];
          const paged = { PageDown: chosen + page, PageUp: chosen - page }[event.key];
          const index = target ?? paged;
          if (index !== undefined) {
            event.preventDefault();
            choose(index);
          }
          if (event.key === "Enter" && selected !== undefined) view.pane.value = "frame";
        }}
      >
        <div class="wire-rows" style={{ height: `${rows.length * ROW}px` }} role="presentation">
          {rows.slice(from, to).map((facts, index) => (
            <WireRow
              key={facts.n}
              facts={facts}
              top={(from + index) * ROW}
              place={[from + index + 1, rows.length]}
              selected={facts.n === selected}
              related={related.has(facts.n)}
              onchoose={() => {
                view.selected.value = facts.n;
              }}
            />
          ))}
        </div>
      </div>
      {!follows && (
        <button type="button" class="newest" onClick={() => setFollows(true)}>
          Newest
        </button>
      )}
    </>
  );
}

function WireRow(props: {
  readonly facts: FrameFacts;
  readonly top: number;
  readonly place: readonly [number, number];
  readonly selected: boolean;
  readonly related: boolean;
  readonly onchoose: () => void;
}) {
  const { facts, top, place, selected, related } = props;
  const fromIde = facts.dir === "ide>agent";
  const marks = ["wire-row", fromIde ? "ide" : "agent", related && "related"];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
    <div
      id={`frame-${facts.n}`}
      class={marks.filter(Boolean).join(" ")}
      style={{ top: `${top}px` }}
      role="option"
      aria-selected={selected}
      aria-posinset={place[0]}
      aria-setsize={place[1]}
      data-kind={facts.kind}
      onClick={props.onchoose}
    >
      <span class="num">{facts.n}</span>
      <span class="num">{describeTime(facts.t)}</span>
      <span class="from">{fromIde ? "IDE ▸" : "◂ Agent"}</span>
      <span class="what">
        {nameOf(facts)}
        {facts.tool !== undefined && <b> {facts.tool}</b>}
        <Badges facts={facts} />
      </span>
      <span class="num">
        {facts.durationMs === undefined ? "" : describeTime(facts.durationMs)}
      </span>
      <span class="num">{describeSize(facts.units)}</span>
    </div>
  );
}

function nameOf({ kind, method }: FrameFacts): string {
  if (kind === "request" || kind === "notification") return method ?? "";
  if (kind === "result" || kind === "error") return `${kind} of ${method ?? "nothing"}`;
  return kind;
}

function Badges({ facts }: { readonly facts: FrameFacts }) {
  const { kind, pair, toolError, errorCode, fault, lost } = facts;
  return (
    <>
      {kind === "request" && pair === undefined && <i class="badge wait">waiting</i>}
      {kind === "error" && <i class="badge bad">{errorCode ?? "error"}</i>}
      {toolError === true && <i class="badge bad">isError</i>}
      {kind === "malformed" && <i class="badge bad">not JSON-RPC</i>}
      {fault !== undefined && <i class="badge fault">{lost === true ? "lost" : fault}</i>}
    </>
  );
}

/** What the chosen frame answers, what answers it, and what brought it about. */
function relatedTo(
  n: number | undefined,
  { index, log }: ReturnType<typeof useParts>["session"],
): ReadonlySet<number> {
  if (n === undefined) return new Set();
  const found = [index.of(n)?.pair, log.at(n)?.by];
  for (const event of log.events.slice(Math.max(0, n - log.dropped), n - log.dropped + 200)) {
    if (event.by === n) found.push(event.n);
  }
  return new Set(found.filter((one) => one !== undefined));
}
