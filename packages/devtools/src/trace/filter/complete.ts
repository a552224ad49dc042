import type { FrameFacts } from "../rows/frame-index.ts";
import { filterKeys, keyNamed } from "./keys.ts";

/** A completion. */
export interface FilterCompletion {
  /** The text to insert. */
  readonly text: string;
  /** A description of its meaning. */
  readonly about: string;
  /** The range that it replaces, in UTF-16 units of the source. */
  readonly from: number;
  readonly to: number;
}

/** Where the values of a text key come from. */
const seenValue: Readonly<Record<string, (facts: FrameFacts) => string | undefined>> = {
  method: ({ method }) => method,
  tool: ({ tool }) => tool,
  ch: ({ ch }) => ch,
  fault: ({ fault }) => fault,
};

/**
 * Completes a filter at `position`: keys, then the possible or recorded values of a key.
 * @param frames where values are looked up; only the newest 5,000
 */
export function completeFilter(
  source: string,
  position: number,
  frames: readonly FrameFacts[],
): readonly FilterCompletion[] {
  const before = source.slice(0, position);
  const start = before.search(/(?<!\S)\S*$/);
  const word = before.slice(start).replace(/^[-!(]+/, "");
  const from = position - word.length;
  const colon = word.indexOf(":");
  if (colon === -1) {
    const place = { from, to: position };
    const isFirst = before.slice(0, from).trim() === "";
    return [...completeKey(word, place), ...completeOperator(word, place, isFirst)];
  }
  const typed =
    word
      .slice(colon + 1)
      .split(",")
      .at(-1) ?? "";
  const place = { from: position - typed.length, to: position };
  return completeValue(word.slice(0, colon), typed, { place, frames });
}

interface ReplacedText {
  readonly from: number;
  readonly to: number;
}

function completeKey(typed: string, place: ReplacedText): FilterCompletion[] {
  return filterKeys
    .filter(({ name }) => name.startsWith(typed.toLowerCase()))
    .map(({ name, about, example }) => ({
      text: `${name}:`,
      about: `${about}; ${example}`,
      ...place,
    }));
}

const operators: readonly (Pick<FilterCompletion, "text" | "about"> & {
  readonly joins: boolean;
})[] = [
  { text: "OR", about: "either side; dir:in OR status:error", joins: true },
  {
    text: "NOT",
    about: "excludes the next term or group; NOT (method:ping OR kind:batch)",
    joins: false,
  },
  { text: "(", about: "a group; (dir:in OR dir:out) n:15..20", joins: false },
];

/** Operators between two terms require one before them. */
function completeOperator(
  typed: string,
  place: ReplacedText,
  isFirst: boolean,
): FilterCompletion[] {
  return operators
    .filter(({ text, joins }) => text.startsWith(typed.toUpperCase()) && !(joins && isFirst))
    .map(({ text, about }) => ({ text, about, ...place }));
}

function completeValue(
  name: string,
  typed: string,
  { place, frames }: { readonly place: ReplacedText; readonly frames: readonly FrameFacts[] },
): FilterCompletion[] {
  const key = keyNamed(name.toLowerCase());
  if (key === undefined) return [];
  const read = seenValue[key.name];
  const seen = read === undefined ? [] : countValues(frames.slice(-5000), read);
  return (key.values?.map((text) => ({ text, about: key.about })) ?? seen)
    .filter(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()))
    .map((one) => ({ ...one, ...place }));
}

function countValues(
  frames: readonly FrameFacts[],
  read: (facts: FrameFacts) => string | undefined,
): { text: string; about: string }[] {
  const counts = new Map<string, number>();
  for (const facts of frames) {
    const value = read(facts);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([text, count]) => ({ text, about: `${count} frames` }));
}
