import type { Clock } from "../../rpc/clock.ts";
import { countLineEnds } from "../../text/text-lines.ts";
import type { EditorHost, Mention } from "../editor-host.ts";

/** How much of a text is read in one turn, which takes some milliseconds. */
const UNITS_PER_TURN = 1 << 20;

/** The mention of a whole file as one of all its lines, for agents that need some; the first line without a text. */
export async function withAllLines(
  mention: Mention,
  { host, clock }: { readonly host: EditorHost; readonly clock: Clock },
): Promise<Mention> {
  if (mention.lines !== undefined) return mention;
  try {
    const text = await host.read(mention.path);
    const ends = await countInTurns(text, clock);
    const end = ends > 0 && /[\r\n]$/.test(text.slice(-1)) ? ends - 1 : ends;
    return { ...mention, lines: { start: 0, end } };
  } catch {
    return { ...mention, lines: { start: 0, end: 0 } };
  }
}

/** Counts line ends in several turns: a text may have millions, and other agents must not wait. */
async function countInTurns(text: string, clock: Clock): Promise<number> {
  let count = 0;
  for (let from = 0; from < text.length; from += UNITS_PER_TURN) {
    if (from > 0) await new Promise<void>((resolve) => clock.setTimeout(resolve, 0));
    count += countLineEnds(text, from, Math.min(from + UNITS_PER_TURN, text.length));
  }
  return count;
}
