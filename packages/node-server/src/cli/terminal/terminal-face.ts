import type { Face } from "../face.ts";
import type { CliIo } from "../io.ts";

export function createTerminalFace(io: CliIo): Face {
  return {
    async run({ stop }) {
      io.stdout.write("TODO\n");
      await stop.requested;
    },
    closed() {},
    failed() {},
  };
}
