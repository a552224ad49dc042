import type { CliOutput } from "../process/io.ts";
import { visible } from "./printable.ts";
import { cutRows, ESCAPE } from "./wrap.ts";

/** The prefix of each row of another program's text; no row of ours has it. */
export const FOREIGN = "| ";
const TAB = "    ";
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]{0,20}m`, "g");

/**
 * The rows of another program's text: without its colours, with control and hidden characters made visible, and
 * marked, so that none looks like idewire's own output. Rows are cut where the terminal would wrap them.
 */
export function foreignRows(text: string, { isTTY, columns = 0 }: CliOutput): readonly string[] {
  const width =
    isTTY === true && columns > 2 * FOREIGN.length ? columns - FOREIGN.length : Infinity;
  const lines = text.replace(COLOURS, "").split(/\r?\n/);
  const rows = lines.flatMap((each) => cutRows(visible(each.replaceAll("\t", TAB)), width));
  return rows.map((row) => FOREIGN + row);
}
