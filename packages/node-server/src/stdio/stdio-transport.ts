import type { Readable, Writable } from "node:stream";
import type { Transport } from "@idewire/core/rpc";
import type { NodeReadable, NodeWritable } from "../process/node-types.ts";
import { lineFraming } from "./line-framing.ts";
import { openStream } from "./stream-transport.ts";

/** What a stream transport may cost. */
export interface StdioOptions {
  /** 16 MiB. A longer frame closes with 1009. */
  readonly maxFrameBytes?: number;
  /** What is written for a frame: the same value, such as with more escapes. */
  readonly encode?: (frame: string) => string;
}

/**
 * Frames as lines over two streams, such as a program's own stdin and stdout: MCP's stdio
 * transport, either end. It owns both streams. The end of the input is the other end's close, after
 * which a last line without a newline is still a frame; a code and a reason are not carried.
 */
export function createStdioTransport(
  input: NodeReadable,
  output: NodeWritable,
  options: StdioOptions = {},
): Transport {
  const streams = { input: input as Readable, output: output as Writable };
  return openStream(streams, { ...options, framing: lineFraming });
}
