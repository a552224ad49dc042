import type { Transport } from "../../../rpc/transport.ts";

/** A transport that repeats parts of a message in headers (Streamable HTTP). */
export interface HeaderTransport extends Transport {
  /** Set by the client: finds the input schema of a tool, where the tool is known. */
  inputSchemaOf: ((tool: string) => object | undefined) | undefined;
  /** Whether a tool with this input schema can be called; the client leaves out the others. */
  carries(inputSchema: unknown): boolean;
  /**
   * Resolves once the server has received `notifications/initialized`.
   * @throws IdewireError when the server refuses the session from then on, or cannot be reached
   */
  begun(): Promise<unknown>;
}

export function isHeaderTransport(transport: Transport): transport is HeaderTransport {
  return "inputSchemaOf" in transport;
}
