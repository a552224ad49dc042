/** Advice if no browser is found. */
export const advice: string;
/** The browser's path; `CHROME_PATH` names another. */
export function findChromium(
  env?: Readonly<Record<string, string | undefined>>,
): string | undefined;
/** Installs Debian's package on Debian, if permitted. */
export function installChromium(): string | undefined;
