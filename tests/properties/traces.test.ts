import { completeFilter } from "@idewire/devtools/internal";
import {
  formatTrace,
  parseFilter,
  parseHar,
  parseTrace,
  redactTrace,
  type Trace,
  type TraceEvent,
} from "@idewire/devtools/trace";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "../src/fuzz.ts";

fc.configureGlobal({ seed });

const trace = (raw: string): Trace => ({
  header: {},
  events: [{ n: 1, t: 0, ev: "frame", ch: "c1", dir: "ide>agent", raw }],
});

test("a token anywhere in a frame is absent from every output", () => {
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

type Spell = (text: string) => string;
const toUnits = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
/** Ways to spell a text; those of JSON are quoted by their callers. */
const spellings: Readonly<Record<string, Spell>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  slashes: (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  units: toUnits,
  percent: encodeURIComponent,
};
const spelling = fc.array(fc.constantFrom("json", "slashes", "percent"), { maxLength: 4 });
/** What may enclose a text in a member of an event. */
const frames: readonly Spell[] = [
  (text) => text,
  (text) => JSON.stringify({ params: { deep: [{ text }] } }),
  (text) => JSON.stringify({ text: JSON.stringify({ text: JSON.stringify([text]) }) }),
  (text) => `{"a":"${toUnits(text)}"}`,
  (text) => JSON.stringify({ [text]: 1 }).slice(0, -3),
];
const members: readonly ((text: string) => object)[] = [
  (raw) => ({ ev: "frame", ch: "c1", dir: "ide>agent", raw }),
  (text) => ({ ev: "transcript", text }),
  (protocol) => ({ ev: "open", ch: "c1", protocol }),
  (reason) => ({ ev: "close", ch: "c1", code: 1, reason }),
  (reason) => ({ ev: "failed", ch: "c1", dir: "agent>ide", id: 1, reason }),
  (file) => ({ ev: "lock", what: "created", file }),
  (original) => ({ ev: "editor", change: { kind: "review-opened", original } }),
  (text) => ({ ev: "later", some: [{ [text]: { text } }] }),
];

/** All possible decodings of a text, with any number of escapes. */
function readings(text: string): string {
  const all = [text];
  for (let level = 0, now = text; level < 12; level += 1) {
    now = now
      .replace(/\\+u([\da-f]{4})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replace(/(?:%[\da-f]{2})+/gi, (part) => {
        try {
          return decodeURIComponent(part);
        } catch {
          return part;
        }
      })
      .replace(/\\+(["/])/g, "$1");
    all.push(now);
  }
  return all.join("\n");
}

function leavesNothing(output: string, secret: string, ways: readonly string[]): void {
  const spelt = ways.reduce((text, way) => spellings[way]?.(text) ?? text, output);
  for (const put of frames) {
    const events = members.map((member, at) => ({ n: at + 1, t: 0, ...member(put(spelt)) }));
    const clean = redactTrace({
      header: { ide: spelt },
      events: events as unknown as TraceEvent[],
    });
    const left = readings(formatTrace(clean.trace)).toLowerCase().indexOf(secret.toLowerCase());
    expect({ spelt, left }).toEqual({ spelt, left: -1 });
  }
}

test("no user's name remains of a home, however path and name are spelled and wherever they occur", () => {
  const letter = fc.constantFrom(..."bcdfghjkqvwxyzäßéøñжщ漢🦊");
  const part = fc.array(letter, { minLength: 3, maxLength: 6 }).map((all) => all.join(""));
  const name = fc
    .tuple(part, fc.constantFrom(" ", ".", "-", "", "_"), part)
    .map((all) => all.join(""));
  const places = fc.constantFrom(
    ...["/home/N/a.md", "/Users/N/a b/c", "C:\\Users\\N\\a", "c:/users/N/x", "/mnt/c/Users/N/x"],
    ...["file:///home/N/a", "\\\\wsl$\\Ubuntu\\home\\N\\a", "/var/home/N/x and of N too"],
  );
  const capitals = fc.constantFrom<Spell>(
    (one) => one,
    (one) => one.toUpperCase(),
  );
  fc.assert(
    fc.property(name, places, spelling, capitals, (one, place, ways, spell) => {
      leavesNothing(
        place.replaceAll("N", () => spell(one)),
        spell(one),
        ways,
      );
    }),
    { numRuns: 40 },
  );
});

test("no secret remains, in any form, spelling or position", () => {
  const alphabet = [..."abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"];
  const secret = fc
    .array(fc.constantFrom(...alphabet), { minLength: 10, maxLength: 30 })
    .map((all) => `q7${all.join("")}`);
  const output = fc.constantFrom(
    ...["Bearer S", "password: S", "API_KEY=S", "postgres://me:S@host/db", "ghp_S", "sk-ant-S"],
    ...['{"authToken":"S"}', "Cookie: a=1; b=S", "https://host/?access_token=S", "xoxb-S"],
    ...["eyJhbGciOiJI.S.S", "-----BEGIN PRIVATE KEY-----\nS\n-----END PRIVATE KEY-----"],
    ...["Authorization: Basic S==", "key = 1\nclient_secret = 'S'"],
  );
  fc.assert(
    fc.property(secret, output, spelling, (one, place, ways) => {
      leavesNothing(
        place.replaceAll("S", () => one),
        one,
        ways,
      );
    }),
    { numRuns: 40 },
  );
});

test("any frame is read back verbatim from its trace", () => {
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
