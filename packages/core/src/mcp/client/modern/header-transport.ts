import type { Transport } from "../../../rpc/transport.ts";

/** A transport that repeats parts of a request in headers (MCP 2026-07-28, Streamable HTTP). */
export interface HeaderTransport extends Transport {
  /** Set by the client: finds the input schema of a tool, where the tool is known. */
  inputSchemaOf: ((tool: string) => object | undefined) | undefined;
  /** Whether a tool with this input schema can be called; the client leaves out the others. */
  carries(inputSchema: unknown): boolean;
}

export function isHeaderTransport(transport: Transport): transport is HeaderTransport {
  return "inputSchemaOf" in transport;
}
