import {
  compareSessions,
  type RecordedSession,
  readSessions,
  type TraceEvent,
} from "@idewire/devtools/trace";
import fc from "fast-check";
import { expect, test } from "vitest";

const messages = fc.array(
  fc.record({
    dir: fc.constantFrom("agent>ide" as const, "ide>agent" as const),
    raw: fc.oneof(
      fc.record({ method: fc.constantFrom("a", "b"), params: fc.jsonValue() }),
      fc.record({ id: fc.nat(3), method: fc.constantFrom("a", "tools/list", "initialize") }),
      fc.record({ id: fc.nat(3), result: fc.jsonValue() }),
      fc.jsonValue(),
    ),
  }),
  { minLength: 1, maxLength: 20 },
);

function read(list: readonly { readonly dir: "agent>ide" | "ide>agent"; readonly raw: unknown }[]) {
  const events = list.map(({ dir, raw }, at): TraceEvent => {
    return { n: at + 1, t: at, ev: "frame", ch: "c1", dir, raw: JSON.stringify(raw) };
  });
  return readSessions(events)[0] as RecordedSession;
}

test("any session equals itself, and a difference has two sides", () => {
  fc.assert(
    fc.property(messages, messages, (one, two) => {
      const [a, b] = [read(one), read(two)];
      expect(compareSessions(a, a).same).toBe(true);
      expect(compareSessions(a, b).same).toBe(compareSessions(b, a).same);
    }),
  );
});

test("each message of both sessions is compared once, with one of its direction and method", () => {
  fc.assert(
    fc.property(messages, messages, (one, two) => {
      const [a, b] = [read(one), read(two)];
      const compared = compareSessions(a, b).messages;
      const ofA = compared.flatMap((row) => ("a" in row ? [row.a] : []));
      const ofB = compared.flatMap((row) => ("b" in row ? [row.b] : []));
      expect(new Set(ofA)).toEqual(new Set(a.messages));
      expect(new Set(ofB)).toEqual(new Set(b.messages));
      expect([ofA.length, ofB.length]).toEqual([a.messages.length, b.messages.length]);
      for (const row of compared) {
        if (!("a" in row && "b" in row)) continue;
        expect([row.a.dir, row.a.method]).toEqual([row.b.dir, row.b.method]);
      }
    }),
  );
});
