import { on } from "node:events";
import { emitKeypressEvents } from "node:readline";
import type { CliInput } from "../process/io.ts";

interface RawInput {
  setRawMode(raw: boolean): unknown;
}

/** The character of Ctrl-C. */
export const interrupt = "\u0003";

/**
 * Characters as they are typed, or those of a pipe, and {@link interrupt}; ends with Ctrl-D or the input.
 * Escape sequences are left out: that of Delete contains a 3.
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
