import { findHomes } from "./find-people.ts";
import { findSecrets } from "./find-secrets.ts";
import type { Findings } from "./findings.ts";
import { firstMaskBehind, SpelledView, type TextRange } from "./spelled-view.ts";
import type { MaskedText } from "./text-literals.ts";
import { isBase64Unit } from "./token-runs.ts";

/** How many UTF-16 units one slice has. */
const SLICE_UNITS = 1 << 16;
/** How far a view extends before and after its slice. */
const BEFORE_UNITS = 256;
const BEHIND_UNITS = 1 << 14;
const VIEW_UNITS = BEFORE_UNITS + SLICE_UNITS + BEHIND_UNITS;
interface FoundRange extends TextRange {
  readonly what: "token" | "home" | "name";
  readonly by?: string;
}

/** Redacts what was not handled yet, a slice at a time. */
export function* cleanSlices(
  { text, masks }: MaskedText,
  findings: Findings,
): Generator<void, string> {
  let done = "";
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const from = startOfSlice(masks, at);
    const view = SpelledView.of(text, { from, maxUnits: VIEW_UNITS, masks });
    const isLast = view.end >= text.length;
    const { length } = view.text;
    const behind = view.toText(length - Math.min(BEHIND_UNITS, length >> 2));
    const end = !isLast && behind > at ? behind : view.end;
    let next = end;
    for (const found of findIn(view, findings)) {
      const start = view.toText(found.from);
      if (start < at || start < copied || start >= end) continue;
      const touches = found.to >= view.text.length && !isLast;
      const stop = touches ? endBehind(text, view.end) : view.toText(found.to);
      const value =
        view.text.slice(found.from, found.to) + text.slice(view.end, Math.max(stop, view.end));
      done += text.slice(copied, start) + findings.standIn(found.what, value, found.by);
      copied = stop;
      next = Math.max(next, stop);
    }
    at = next;
    if (at < text.length) yield;
  }
  return copied === 0 ? text : done + text.slice(copied);
}

/** A little before `at`, and not inside a mask. */
function startOfSlice(masks: readonly TextRange[], at: number): number {
  const from = Math.max(0, at - BEFORE_UNITS);
  const mask = masks[firstMaskBehind(masks, from)];
  return mask === undefined ? from : Math.min(from, mask.from);
}

/** The end of what continues after the view. */
function endBehind(text: string, from: number): number {
  let to = from;
  while (to < text.length && (isBase64Unit(text, to) || "=%.~\\".includes(text.charAt(to))))
    to += 1;
  return to;
}

/** In order, without overlaps: of two that overlap, the kind of the longer one counts. */
function findIn({ text }: SpelledView, findings: Findings): readonly FoundRange[] {
  const found: FoundRange[] = [];
  const addToken = (from: number, to: number): void => void found.push({ from, to, what: "token" });
  if (findings.tokens) findSecrets(text, addToken);
  for (const [known, by] of findings.known) {
    for (let at = text.indexOf(known); at !== -1; at = text.indexOf(known, at + known.length)) {
      found.push({ from: at, to: at + known.length, what: "token", by });
    }
  }
  if (findings.people) {
    const add = (from: number, to: number, rest: { what: "home" | "name"; by: string }): void =>
      void found.push({ from, to, ...rest });
    findHomes(text, add, (name) => findings.learn(name));
    findings.homes.find(text, add);
    findings.names.find(text, add);
  }
  return merge(found);
}

function merge(found: FoundRange[]): readonly FoundRange[] {
  const merged: FoundRange[] = [];
  for (const next of found.sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last === undefined || next.from >= last.to) merged.push(next);
    else {
      const longer = next.to - next.from > last.to - last.from ? next : last;
      merged[merged.length - 1] = { ...longer, from: last.from, to: Math.max(last.to, next.to) };
    }
  }
  return merged;
}
