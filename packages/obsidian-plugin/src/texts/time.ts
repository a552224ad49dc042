/** Times as people who use the app in its language write them. */
export interface Times {
  /** The time of day. */
  time(ms: number): string;
  day(ms: number): string;
  dayAndTime(ms: number): string;
}

/** @param language that of the app, such as `en` */
export function createTimes(language: string): Times {
  const format = (style: Intl.DateTimeFormatOptions) => {
    const locale = known(language);
    return (ms: number) => new Intl.DateTimeFormat(locale, style).format(ms);
  };
  return {
    time: format({ timeStyle: "short" }),
    day: format({ dateStyle: "long" }),
    dayAndTime: format({ dateStyle: "medium", timeStyle: "short" }),
  };
}

function known(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([language])[0] ?? "en";
  } catch {
    // It is no tag of a language at all.
    return "en";
  }
}
