/** How a text is searched for. */
export interface TextMatching {
  /** Whether letters of the other case are different letters; they are the same if left out. */
  readonly matchCase?: boolean;
}

/** The start and end of each occurrence of a plain text, in UTF-16 units; they do not overlap. */
export function* occurrencesOf(
  searched: string,
  text: string,
  { matchCase = false }: TextMatching = {},
): Generator<readonly [start: number, end: number]> {
  if (searched === "") return;
  const [sought, within] = matchCase ? [searched, text] : [foldCase(searched), foldCase(text)];
  for (let at = within.indexOf(sought); at !== -1; at = within.indexOf(sought, at + sought.length))
    yield [at, at + sought.length];
}

/** Makes texts that differ in case alike; the offsets stay those of the text. */
export function foldCase(text: string): string {
  // In lower case, this letter alone has two units, and sigma has another form at the end of a word.
  return text.replaceAll("\u0130", "i").toLowerCase().replaceAll("ς", "σ");
}
