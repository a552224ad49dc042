import type { TraceEvent } from "../format/trace-event.ts";

/** Longer frames are cut in a live log, which records their length; UTF-16 units. */
const MAX_LIVE_UNITS: number = 1 << 22;
/** The length of a cut text. */
const BEGINNING_UNITS = 1 << 16;
/** A word at the cut is left out: half of a token would not be recognised as one. */
const MAX_WORD_UNITS = 4096;

/** The event with long texts cut, for a live log. */
export function cutEvent(event: TraceEvent): TraceEvent {
  if (event.ev === "frame") {
    const { raw, cut, form } = event;
    const isLong = raw.length > MAX_LIVE_UNITS;
    if (!isLong && cut === undefined) return event;
    const beginning = isLong ? copyText(raw.slice(0, BEGINNING_UNITS)) : raw;
    const whole = form === undefined ? wholeWords(beginning) : beginning;
    return { ...event, raw: whole, cut: cut ?? raw.length };
  }
  if ("text" in event && event.text !== undefined) return { ...event, text: cutText(event.text) };
  return "reason" in event ? { ...event, reason: cutText(event.reason) } : event;
}

/** At most `maxUnits` UTF-16 units of a text, without a partial word at the end. */
export function cutText(text: string, maxUnits: number = BEGINNING_UNITS): string {
  return text.length <= maxUnits ? text : `${wholeWords(copyText(text.slice(0, maxUnits)))}…`;
}

/** A copy of a part of a text: in V8, a slice retains the whole text in memory. */
export function copyText(part: string): string {
  return JSON.parse(JSON.stringify(part)) as string;
}

/** Text without a word boundary near its end stays whole: it is recognisable as a token. */
export function wholeWords(text: string): string {
  const first = Math.max(0, text.length - MAX_WORD_UNITS);
  for (let at = text.length; at > first; at -= 1) {
    if (!/[\w+/=%.~\\-]/.test(text.charAt(at - 1))) return text.slice(0, at);
  }
  return text;
}
