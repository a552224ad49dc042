/** Milliseconds with significant digits; from 100 s on as minutes, seconds and milliseconds. */
export function describeTime(ms: number): string {
  if (ms < 100_000) return ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
  const whole = Math.round(ms);
  const seconds = (whole % 60_000) / 1000;
  return `${Math.floor(whole / 60_000)}:${seconds.toFixed(3).padStart(6, "0")}`;
}

/** The same with its unit: `12 ms`, `1:40.123 min`. */
export function describeDuration(ms: number): string {
  return `${describeTime(ms)} ${ms < 100_000 ? "ms" : "min"}`;
}

/** The same, for a narrow column: from 100 s on as minutes and seconds. */
export function describeShortTime(ms: number): string {
  return ms < 100_000 ? describeTime(ms) : toMinutes(ms);
}

/** Short, for a list: `0.4 s`, `12 s`, `1:40 min`. */
export function describeSeconds(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 100) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${toMinutes(ms)} min`;
}

function toMinutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** The local time of day, to the millisecond. */
export function describeTimeOfDay(ms: number): string {
  const date = new Date(ms);
  return `${date.toTimeString().slice(0, 8)}.${`${date.getMilliseconds()}`.padStart(3, "0")}`;
}

/** The local time to the minute, with the date unless it is today, in the format of the browser's language. */
export function describeClock(ms: number): string {
  const time = new Date(ms);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(undefined, {
    timeStyle: "short",
    ...(!isToday && { dateStyle: "medium" }),
  });
}

/** A size in UTF-16 units, short enough for a column. */
export function describeSize(units: number): string {
  if (units < 10_000) return `${units}`;
  return units < 1_000_000 ? `${(units / 1000).toFixed(0)}k` : `${(units / 1_000_000).toFixed(1)}M`;
}
