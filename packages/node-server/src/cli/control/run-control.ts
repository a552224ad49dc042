import type { Range } from "@idewire/core";
import { type TypedPosition, toRange } from "../terminal/place.ts";
import type { ControlCommands, ControlVerb } from "./control-protocol.ts";
import type { ControlTarget } from "./control-target.ts";

type Run<V extends ControlVerb> = (
  command: ControlCommands[V],
  target: ControlTarget,
) => Promise<void> | void;

/**
 * Carries out each command.
 * @throws Error, or ToolFailure from the host, in words for the person
 */
export const runControl: { readonly [V in ControlVerb]: Run<V> } = {
  open: ({ path }, target) => able(target, "open")(target.locate(path)),
  async select({ path: native, start, end, text }, target) {
    const select = able(target, "select");
    const path = target.locate(native);
    if (text === undefined) {
      return select(path, toRange(start, end, await target.host.read(path)));
    }
    const selected = end.column === undefined ? text.replace(/\r?\n$/, "") : text;
    return select(path, rangeOf(selected, start, end), selected);
  },
  clear: (_, target) => able(target, "clear")(),
  async mention({ path: native, start, end = start }, target) {
    const mention = able(target, "mention");
    const path = target.locate(native);
    if (start === undefined || end === undefined) return mention({ path });
    const range = toRange(start, end, await target.host.read(path));
    return mention({ path, lines: { start: range.start.line, end: range.end.line } });
  },
  diagnose({ files }, target) {
    const located = files.map((file) => ({ ...file, path: target.locate(file.path) }));
    return able(target, "diagnose")(located);
  },
};

/** @throws Error when the editor does not have the command */
function able<V extends ControlVerb>(
  target: ControlTarget,
  verb: V,
): NonNullable<ControlTarget[V]> {
  const run = target[verb];
  if (run !== undefined) return run.bind(target) as NonNullable<ControlTarget[V]>;
  const { name } = target.host.info;
  throw new Error(`${name} cannot be told to ${verb}: it does that itself`);
}

/** Where a text is that starts at one place and should end in the line of another. */
function rangeOf(text: string, start: TypedPosition, end: TypedPosition): Range {
  const lines = text.split("\n");
  const named = end.line - start.line + 1;
  if (lines.length !== named) {
    throw new Error(`the text has ${lines.length} lines, and ${named} are named`);
  }
  const first = (start.column ?? 1) - 1;
  const length = lines.at(-1)?.length ?? 0;
  return {
    start: { line: start.line - 1, character: first },
    end: { line: end.line - 1, character: named === 1 ? first + length : length },
  };
}
