/** The time of day, as the system writes it. */
export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { timeStyle: "short" });
}

/** A date in words. */
export function formatDay(ms: number): string {
  return new Date(ms).toLocaleDateString(undefined, { dateStyle: "long" });
}

/** A short date with the time of day. */
export function formatDayAndTime(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}
