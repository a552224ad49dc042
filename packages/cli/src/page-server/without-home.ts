/** A quote inside quotes, as {@link shellQuote} writes it. */
const QUOTE = "'\\''";

/**
 * Replaces the person's home at the beginning of paths by `~`. A command with the path, quoted or not, keeps
 * its meaning in a shell.
 */
export function withoutHome(text: string, home: string): string {
  if (home.length < 2) return text;
  const quoted = `'${home.replaceAll("'", QUOTE)}`;
  return text
    .replaceAll(`${quoted}/`, "~/'")
    .replaceAll(`${quoted}'`, "~")
    .split(home)
    .reduce((shown, rest) => `${shown}${isWhole(shown, rest) ? "~" : home}${rest}`);
}

/** `/mnt/home/me` and `/home/meg` are other folders than `/home/me`. */
function isWhole(before: string, after: string): boolean {
  return !/[\w.-]$/.test(before) && !/^[\w-]/.test(after);
}
