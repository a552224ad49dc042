/** A text in one line, cut to a number of UTF-16 code units, without half a character, which APIs reject. */
export function inOneLine(text: string, longest: number): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
