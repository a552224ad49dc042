/** A text in one line for an agent, cut to a number of UTF-16 units: half a character, which APIs refuse, is left out. */
export function inOneLine(text: string, longest: number): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest)
    .replace(/[\ud800-\udbff]$/, "");
}
