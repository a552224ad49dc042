import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { createHttpTransport, type HttpTransportOptions } from "@idewire/http";

/**
 * Connects a client to a server, with a new session if one has ended, and without a stream for unsolicited
 * messages.
 */
export function connectOverHttp(
  { url }: { readonly url: string },
  client: Partial<McpClientOptions> = {},
  transport: HttpTransportOptions = {},
): Promise<McpClient> {
  const open = () => createHttpTransport(url, { listen: false, ...transport });
  return McpClient.connect(open, { name: "me", version: "1", era: "legacy", ...client });
}
