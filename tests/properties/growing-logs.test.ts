import {
  EventRows,
  FilteredFrames,
  FrameIndex,
  LogStates,
  SequenceLines,
  TraceReader,
} from "@idewire/devtools/internal";
import {
  EventLog,
  ProblemIndex,
  parseFilter,
  parseTrace,
  type TraceEvent,
  type TraceFact,
} from "@idewire/devtools/trace";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../src/fuzz.ts";

fc.configureGlobal({ seed });

/** The operations on a log and on its derived data. */
type Step =
  | { readonly do: "append"; readonly fact: TraceFact; readonly by?: number }
  | { readonly do: "update"; readonly looks: number }
  | { readonly do: "look"; readonly count: number };

const dir = fc.constantFrom("agent>ide" as const, "ide>agent" as const);
const id = fc.integer({ min: 1, max: 4 });
const method = fc.constantFrom("tools/call", "tools/list", "ping");
const raw = fc.oneof(
  fc.record({ jsonrpc: fc.constant("2.0"), id, method }).map((value) => JSON.stringify(value)),
  id.map((one) => JSON.stringify({ jsonrpc: "2.0", id: one, result: {} })),
  id.map((one) => JSON.stringify({ jsonrpc: "2.0", id: one, error: { code: -1, message: "x" } })),
  id.map((requestId) =>
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
  ),
  fc.constant("garbage"),
);
const ch = fc.constantFrom("c1", "c2");
const fact: fc.Arbitrary<TraceFact> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ ev: fc.constant("frame" as const), ch, dir, raw }) },
  fc.record({ ev: fc.constant("open" as const), ch }),
  fc.record({ ev: fc.constant("close" as const), ch, code: fc.nat(), reason: fc.string() }),
  fc.record({ ev: fc.constant("failed" as const), ch, dir, id, reason: fc.string() }),
  fc.constant({ ev: "action", who: "person", text: "does" } as const),
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant("append" as const), fact, by: fc.nat({ max: 20 }) }),
    },
    fc.record({ do: fc.constant("update" as const), looks: fc.nat({ max: 2 }) }),
    fc.record({ do: fc.constant("look" as const), count: fc.nat({ max: 12 }) }),
  ),
  { maxLength: 80 },
);
const sources = fc.constantFrom(
  ...[
    "",
    "status:open",
    "-status:open",
    "duration:>1",
    "kind:result",
    "problem:any",
    "status:unanswered",
  ],
  ...["problem:state -kind:request", "garbage", "method:tools/*", "kind:request"],
);

/** A log with a small limit, and everything derived from it. */
class Grown {
  ms = 0;
  readonly log = new EventLog({ now: () => this.ms, maxEvents: 24 });
  readonly index = new FrameIndex();
  readonly problems = new ProblemIndex();
  readonly options: ConstructorParameters<typeof FilteredFrames>[0];

  constructor(source: string) {
    this.log.on("append", (event) => this.index.add(event));
    this.log.on("drop", (first) => this.index.drop(first));
    const filter = parseFilter(source);
    if (!filter.ok) throw new Error(filter.issue);
    const raw = (n: number): string => {
      const event = this.log.at(n);
      return event?.ev === "frame" ? event.raw : "";
    };
    const { index, problems } = this;
    this.options = { index, filter: filter.value, raw, problems: () => problems };
  }

  append(fact: TraceFact, by?: number): void {
    this.ms += 300;
    this.log.append(fact, by === 0 ? undefined : by);
  }

  look(count: number): void {
    for (let at = 0; at < count && this.problems.seen < this.log.last; at += 1) {
      const event = this.log.at(Math.max(this.problems.seen, this.log.dropped) + 1);
      if (event !== undefined) this.problems.add(event);
    }
  }
}

/** Applies the steps to data that is updated incrementally, then brings it up to date. */
function grow(source: string, taken: readonly Step[]): { grown: Grown; kept: FilteredFrames } {
  const grown = new Grown(source);
  const kept = new FilteredFrames(grown.options);
  for (const step of taken) {
    if (step.do === "append") grown.append(step.fact, step.by);
    else if (step.do === "look") grown.look(step.count);
    else {
      let { looks } = step;
      kept.update(() => looks-- > 0);
    }
  }
  expect(kept.update()).toBe(true);
  return { grown, kept };
}

test("frames that are filtered as they arrive equal those of a filter of the whole log", () => {
  fc.assert(
    fc.property(sources, steps, (source, taken) => {
      const { grown, kept } = grow(source, taken);
      const whole = new FilteredFrames(grown.options);
      whole.update();
      const { raw, problems, filter } = grown.options;
      const plain = grown.index.frames.filter((facts) =>
        filter?.matches({
          ...{ facts, raw: () => raw(facts.n) },
          problems: () => problems?.()?.layersOf(facts.n) ?? [],
        }),
      );
      expect(kept.rows).toEqual(plain);
      expect(whole.rows).toEqual(plain);
    }),
  );
});

test("a filter stops when its time is over, and resumes where it stopped", () => {
  const grown = new Grown("garbage");
  const log = new EventLog();
  log.on("append", (event) => grown.index.add(event));
  for (let at = 0; at < 1000; at += 1)
    log.append({ ev: "frame", ch: "c1", dir: "agent>ide", raw: "garbage" });
  const kept = new FilteredFrames({ ...grown.options, raw: () => "garbage" });
  expect(kept.update(() => false)).toBe(false);
  expect(kept.rows.length).toBeLessThan(1000);
  let calls = 1;
  while (!kept.update(() => false)) calls += 1;
  expect([kept.rows.length, calls > 5]).toEqual([1000, true]);
});

test("lines of a sequence that grow with their rows equal those of the whole", () => {
  fc.assert(
    fc.property(sources, steps, fc.boolean(), (source, taken, isWhole) => {
      const grown = new Grown(source);
      const { log, index } = grown;
      const rows = isWhole ? new EventRows(log, isShown) : new FilteredFrames(grown.options);
      const kept = new SequenceLines({ log, index, rows, isNote });
      for (const step of taken) {
        if (step.do === "append") grown.append(step.fact, step.by);
        else if (step.do === "look") grown.look(step.count);
        else {
          rows.update();
          kept.update();
        }
      }
      rows.update();
      kept.update();
      const whole = new SequenceLines({ log, index, rows, isNote });
      whole.update();
      expect(kept.lines).toEqual(whole.lines);
      const end = kept.lines.length;
      expect(kept.barsWithin(0, end)).toEqual(whole.barsWithin(0, end));
      expect(kept.linksWithin(0, end)).toEqual(whole.linksWithin(0, end));
      const numbers = kept.lines.map(({ n }) => n);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      if (isWhole) expect(rows.rows).toEqual(log.events.filter(isShown));
    }),
  );
});

function isNote({ ev }: TraceEvent): boolean {
  return ev === "action";
}

function isShown(event: TraceEvent): boolean {
  return event.ev === "frame" || isNote(event);
}

test("a trace in pieces equals the trace in one piece, and so do its problems", () => {
  const header = '{"idewire":"trace/1"}';
  const event = fc.constantFrom(
    ...['{"t":1,"ev":"transcript","text":"é\\n"}', '{"n":9,"t":1,"by":3,"ev":"open","ch":"c1"}'],
    ...["", "  ", "{", '{"ev":"nothing"}', '{"t":-1,"ev":"open","ch":"c1"}', header],
  );
  const lines = fc.tuple(fc.constantFrom(header, header, "", "{"), fc.array(event));
  fc.assert(
    fc.property(
      lines,
      fc.array(fc.nat({ max: 400 })),
      fc.boolean(),
      ([first, rest], cuts, ended) => {
        const text = [first, ...rest].join("\n") + (ended ? "\n" : "");
        expect(readInChunks(text, cuts)).toEqual(parseTrace(text));
      },
    ),
  );
});

function readInChunks(text: string, cuts: readonly number[]): ReturnType<typeof parseTrace> {
  const reader = new TraceReader();
  const events: TraceEvent[] = [];
  const places = [0, ...[...cuts].sort((a, b) => a - b), text.length];
  for (const [at, place] of places.slice(1).entries()) {
    const read = reader.push(text.slice(places[at], place));
    if (!read.ok) return read;
    events.push(...read.value);
  }
  const end = reader.end();
  if (!end.ok) return end;
  const { header, cut, events: last } = end.value;
  return { ok: true, value: { header, cut, events: [...events, ...last] } };
}

const path = fc.constantFrom("a.md", "b.md", "c.md");
const change: fc.Arbitrary<TraceFact> = fc
  .oneof(
    fc.record({ kind: fc.constant("text" as const), path, text: fc.string() }),
    fc.record({
      kind: fc.constantFrom("deleted" as const, "opened" as const, "closed" as const),
      path,
    }),
  )
  .map((one) => ({ ev: "editor", change: one }));
const output = fc.record({ ev: fc.constant("transcript" as const), text: fc.string() });

test("the state at any moment is the same, whichever moments were looked at before", () => {
  const facts = fc.array(fc.oneof(change, output, fact), { minLength: 300, maxLength: 700 });
  fc.assert(
    fc.property(facts, fc.array(fc.nat({ max: 700 }), { maxLength: 6 }), (all, moments) => {
      const log = new EventLog();
      const replay = new LogStates(log);
      for (const [at, one] of all.entries()) {
        log.append(one);
        if (at % 97 === 0) replay.at(log.last);
      }
      for (const n of moments) expect(replay.at(n)).toEqual(new LogStates(log).at(n));
    }),
    { numRuns: 20 },
  );
});
