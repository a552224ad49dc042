import { clearTimeout, setTimeout } from "node:timers";
import type { ProgramTransport } from "@idewire/node-server/internal";
import { line } from "../output/printable.ts";
import type { McpContext } from "./open-client.ts";

/** When a silent program is judged: before it is asked in the legacy era. */
const SILENCE_MS = 3_000;

/** Why a program that reads may never answer. */
export const SILENT_CAUSE =
  "reads Content-Length frames, as language servers do: then --framing content-length is needed";

/** Watches a program until it answers. */
export interface SilenceWatch {
  /** Called with each transport to it. */
  watch(program: ProgramTransport): void;
  end(): void;
}

/**
 * Judges a program that has answered nothing. One that has written Content-Length frames does not delimit frames by lines; one
 * that has written nothing may be starting, as one that is downloaded first, and is only reported: to write
 * anything but lines to it could end it.
 * @param onlengths called in the first case
 */
export function watchSilence(
  { run: { target, framing }, printer }: McpContext,
  onlengths: () => void,
): SilenceWatch {
  let program: ProgramTransport | undefined;
  const judge = () => {
    if (framing === "content-length" || !("command" in target)) return;
    const name = JSON.stringify(target.command);
    if (program?.hasLengths === true) {
      printer.fail(line`${name} writes Content-Length frames, and has answered no line;`);
      printer.fail(line`starting it again with --framing content-length.`);
      onlengths();
      return;
    }
    printer.fail(line`${name} has not answered yet. It may still be starting;`);
    printer.fail(line`or it ${SILENT_CAUSE}. Ctrl-C ends this.`);
  };
  const timer = setTimeout(judge, SILENCE_MS);
  return {
    watch: (started) => {
      program = started;
    },
    end: () => clearTimeout(timer),
  };
}
