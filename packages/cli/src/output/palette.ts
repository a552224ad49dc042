import picocolors from "picocolors";
import type { CliIo } from "../process/io.ts";
import { type LineValue, Printable, toText } from "./printable.ts";

type Style = (text: LineValue) => Printable;

/** The colours of the output; plain text if colours are not wanted. */
export interface Palette {
  readonly hasColour: boolean;
  readonly bold: Style;
  readonly dim: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly warning: Style;
  /** Must not be overlooked. */
  readonly alarm: Style;
  /** The changed words of a removed line, and of an added one. */
  readonly removedWord: Style;
  readonly addedWord: Style;
}

export function createPalette(hasColour: boolean): Palette {
  const colours = picocolors.createColors(hasColour);
  const style =
    (paint: (text: string) => string): Style =>
    (text) =>
      new Printable(paint(toText(text)));
  return {
    hasColour,
    bold: style(colours.bold),
    dim: style(colours.dim),
    good: style(colours.green),
    bad: style(colours.red),
    warning: style(colours.yellow),
    alarm: style((text) =>
      hasColour ? colours.bold(colours.red(colours.inverse(` ${text} `))) : `!!! ${text} !!!`,
    ),
    removedWord: style((text) => (hasColour ? colours.inverse(text) : `[-${text}-]`)),
    addedWord: style((text) => (hasColour ? colours.inverse(text) : `{+${text}+}`)),
  };
}

/** `NO_COLOR` (no-color.org) takes precedence, then `FORCE_COLOR`; otherwise only terminals get colours. */
export function wantsColour({ env, stdout }: Pick<CliIo, "env" | "stdout">): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stdout.isTTY === true && env["TERM"] !== "dumb";
}
