import type { Readable, Writable } from "node:stream";
import type { Transport } from "@idewire/core/rpc";
import type { NodeReadable, NodeWritable } from "../process/node-types.ts";
import { lineFraming } from "./line-framing.ts";
import { openStream } from "./stream-transport.ts";

/** The limits of a stream transport. */
export interface StdioOptions {
  /** The size limit of a frame, 16 MiB by default; a longer one closes with 1009. */
  readonly maxFrameBytes?: number;
  /** The text to write for a frame: an equal JSON value, for example with more escapes. */
  readonly encode?: (frame: string) => string;
  /** Whether reading is to pause, as received frames are queued elsewhere; called repeatedly until it returns false. */
  readonly isFull?: () => boolean;
}

/**
 * Frames as lines over two streams, such as a program's own stdin and stdout: MCP's stdio transport, either end.
 * It owns both streams. The end of the input means that the other end has closed; a last line without a newline is
 * still a frame. Code and reason are not transmitted.
 */
export function createStdioTransport(
  input: NodeReadable,
  output: NodeWritable,
  options: StdioOptions = {},
): Transport {
  const streams = { input: input as Readable, output: output as Writable };
  return openStream(streams, { ...options, framing: lineFraming });
}
