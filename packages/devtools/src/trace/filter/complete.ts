import type { FrameFacts } from "../rows/frame-facts.ts";
import { filterKeys } from "./keys.ts";

/** A completion. */
export interface FilterCompletion {
  /** The text to insert. */
  readonly text: string;
  /** What it means, in words. */
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
 * Completes a filter at `position`: keys, then the values of a key, or those that were seen.
 * @param frames where values are looked up; only the newest 5,000
 */
export function completeFilter(
  source: string,
  position: number,
  frames: readonly FrameFacts[],
): readonly FilterCompletion[] {
  const before = source.slice(0, position);
  const start = before.lastIndexOf(" ") + 1;
  const word = before.slice(start).replace(/^[-!]/, "");
  const from = position - word.length;
  const colon = word.indexOf(":");
  if (colon === -1) return completeKey(word, { from, to: position });
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

function completeValue(
  name: string,
  typed: string,
  { place, frames }: { readonly place: ReplacedText; readonly frames: readonly FrameFacts[] },
): FilterCompletion[] {
  const key = filterKeys.find((one) => one.name === name || one.aliases?.includes(name) === true);
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
