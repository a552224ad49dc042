import type { TraceEvent } from "../format/trace-event.ts";

/** A longer frame is kept by its beginning and its length alone, wherever it is looked at live. */
const MAX_LIVE_UNITS: number = 1 << 22;
/** So much is kept of it. */
const BEGINNING_UNITS = 1 << 16;
/** A word that a cut goes through is left out: half of a token looks like none. */
const MAX_WORD_UNITS = 4096;

/** The event as a live log keeps it: what is too long is cut. */
export function cutEvent(event: TraceEvent): TraceEvent {
  if (event.ev === "frame") {
    const { raw, cut, form } = event;
    const isLong = raw.length > MAX_LIVE_UNITS;
    if (!isLong && cut === undefined) return event;
    const beginning = isLong ? raw.slice(0, BEGINNING_UNITS) : raw;
    const whole = form === undefined ? wholeWords(beginning) : beginning;
    return { ...event, raw: whole, cut: cut ?? raw.length };
  }
  if ("text" in event && event.text !== undefined) return { ...event, text: cutText(event.text) };
  return event.ev === "close" ? { ...event, reason: cutText(event.reason) } : event;
}

/** At most so many units of a text, and no half of a word at its end. */
export function cutText(text: string, maxUnits: number = BEGINNING_UNITS): string {
  return text.length <= maxUnits ? text : `${wholeWords(text.slice(0, maxUnits))}…`;
}

/** What is longer than any word is seen to be a token as it is. */
function wholeWords(text: string): string {
  const first = Math.max(0, text.length - MAX_WORD_UNITS);
  for (let at = text.length; at > first; at -= 1) {
    if (!/[\w+/=%.~\\-]/.test(text.charAt(at - 1))) return text.slice(0, at);
  }
  return text;
}
