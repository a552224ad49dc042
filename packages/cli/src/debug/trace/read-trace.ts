import { resolve } from "node:path";
import { parseHar, parseTrace, type Trace } from "@idewire/devtools/trace";
import type { CliIo } from "../../process/io.ts";
import { readTextFile } from "../simulate/read-text-file.ts";

const MAX_TRACE_BYTES = 256 << 20;

/**
 * Reads a trace named by the person: JSON Lines, or a HAR file.
 * @param shown the file as typed
 * @returns the trace, or why it cannot be read
 */
export async function readTrace(
  shown: string,
  io: CliIo,
): Promise<Trace | { readonly fault: string }> {
  const limit = { maxBytes: MAX_TRACE_BYTES, what: "a trace" };
  const text = await readTextFile(resolve(io.cwd, shown), limit);
  if (typeof text !== "string") return text;
  const trace = /^\s*\{\s*"log"/.test(text) ? parseHar(text) : parseTrace(text);
  return trace.ok ? trace.value : { fault: trace.issue };
}
