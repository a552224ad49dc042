import type { CliInput } from "../process/io.ts";

interface RawInput {
  setRawMode(raw: boolean): unknown;
}

/** Keys as they are pressed, or the characters of a pipe; ends with Ctrl-C, Ctrl-D and the input. */
export async function* readKeys(input: CliInput): AsyncGenerator<string, void> {
  const raw = isTerminal(input) ? input : undefined;
  raw?.setRawMode(true);
  try {
    for await (const chunk of input) {
      for (const key of String(chunk)) {
        if (key === "\u0003" || key === "\u0004") return;
        if (key.trim() !== "") yield key;
      }
    }
  } finally {
    raw?.setRawMode(false);
  }
}

function isTerminal(input: CliInput): input is CliInput & RawInput {
  return input.isTTY === true && "setRawMode" in input;
}
