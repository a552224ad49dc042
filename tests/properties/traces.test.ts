import {
  completeFilter,
  formatTrace,
  parseFilter,
  parseHar,
  parseTrace,
  redactTrace,
  type Trace,
} from "@idewire/core/trace";
import fc from "fast-check";
import { expect, test } from "vitest";

const trace = (raw: string): Trace => ({
  header: {},
  events: [{ n: 1, t: 0, ev: "frame", ch: "c1", dir: "ide>agent", raw }],
});

test("a token that is anywhere in a frame is in nothing that leaves", () => {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const unit = fc.constantFrom(...letters);
  const tokens = fc.string({ unit, minLength: 43, maxLength: 100 });
  const places = fc.constantFrom("Bearer T", '"T"', "?t=T", "x T y", "T", '{\\"token\\":\\"T\\"}');
  fc.assert(
    fc.property(tokens, places, (secret, place) => {
      const raw = place.replace("T", () => secret);
      expect(formatTrace(redactTrace(trace(raw)).trace)).not.toContain(secret);
    }),
  );
});

test("whatever a frame holds, a trace of it is read back to the letter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (raw) => {
      const read = parseTrace(formatTrace(trace(raw)));
      expect(read).toMatchObject({ ok: true, value: trace(raw) });
    }),
  );
});

test("no text makes the readers of files throw", () => {
  const line = fc.oneof(fc.json(), fc.string(), fc.constant('{"idewire":"trace/1"}'));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      for (const read of [parseTrace(lines.join("\n")), parseHar(lines.join("\n"))]) {
        if (!read.ok) expect(read.issue).not.toBe("");
      }
    }),
  );
});

test("no text makes the filter language throw", () => {
  const words = ["dir:", "method:", "*", '"', ",", "-", ">", "id:2", " ", "a", "\\", "é"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 40 }), (parts) => {
      const source = parts.join("");
      completeFilter(source, source.length, []);
      const filter = parseFilter(source);
      if (!filter.ok) expect(filter.issue).not.toBe("");
    }),
  );
});
