import type { McpServer } from "../mcp/server/server.ts";
import type { ConnectOptions, ServerConnection } from "../mcp/server/server-connection.ts";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";
import type { Params, RawMessage } from "../rpc/message.ts";
import { RawEnd, untilFound } from "./raw-end.ts";

/** A client of the modern era, played by a test, and the connection that serves it. */
export interface ModernFixture {
  readonly client: RawEnd;
  readonly connection: ServerConnection<undefined>;
  /** Sends a request with the `_meta` that every request needs, and returns its answer. */
  call(method: string, params?: Params, capabilities?: Params): Promise<RawMessage>;
}

/** The `_meta` of a request. */
export function modernMeta(capabilities: Params = {}, more?: Params): Params {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    ...more,
  };
}

/** Connects a client to a server. */
export function openModern(
  server: McpServer<undefined>,
  options: Partial<ConnectOptions<undefined>> = {},
): ModernFixture {
  const [left, right] = createMemoryTransportPair();
  const connection = server.connect(left, { context: undefined, ...options });
  const client = new RawEnd(right);
  let last = 0;
  return {
    ...{ client, connection },
    async call(method, params, capabilities) {
      last += 1;
      client.request(last, method, { ...params, _meta: modernMeta(capabilities) });
      const id = last;
      // Sealing takes as long as threads of the platform are busy.
      const answer = await untilFound(async () =>
        (await client.take()).find((message) => message.id === id),
      );
      if (answer === undefined) throw new Error(`${method} was not answered`);
      return answer;
    },
  };
}
