import { on } from "node:events";
import { emitKeypressEvents } from "node:readline";
import type { CliInput } from "../process/io.ts";

interface RawInput {
  setRawMode(raw: boolean): unknown;
}

/** What Ctrl-C types. */
export const interrupt = "\u0003";

/**
 * Characters as they are typed, or those of a pipe, and {@link interrupt}; ends with Ctrl-D and the input. Keys that
 * are no character are left out: what Delete sends has a 3 in it.
 */
export async function* readKeys(input: CliInput): AsyncGenerator<string, void> {
  const raw = isTerminal(input) ? input : undefined;
  emitKeypressEvents(input);
  raw?.setRawMode(true);
  try {
    for await (const [key] of on(input, "keypress", { close: ["end", "close"] })) {
      if (key === "\u0004") return;
      if (typeof key === "string" && key.trim() !== "") yield key;
    }
  } finally {
    raw?.setRawMode(false);
  }
}

function isTerminal(input: CliInput): input is CliInput & RawInput {
  return input.isTTY === true && "setRawMode" in input;
}
