import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { createHttpTransport, type HttpTransportOptions } from "@idewire/http";

/**
 * Connects a client to a server, in a new session where one has ended, without a stream for what the server
 * says unasked.
 */
export function connectOverHttp(
  { url }: { readonly url: string },
  client: Partial<McpClientOptions> = {},
  transport: HttpTransportOptions = {},
): Promise<McpClient> {
  const open = () => createHttpTransport(url, { listen: false, ...transport });
  return McpClient.connect(open, { name: "me", version: "1", era: "legacy", ...client });
}
