import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Implementation } from "../implementation.ts";
import { createSdkImplementation, type SdkClient, type SdkServer } from "./sdk.ts";

type TheirRequest = Parameters<ReturnType<typeof toNodeHandler>>[0];

const info = { name: "bench", version: "1.0.0" };

/** `@modelcontextprotocol/server` and `/client` 2.4, with their default handshake. */
export const sdkV2: Implementation = createSdkImplementation({
  createServer: () => new McpServer(info) as unknown as SdkServer,
  createClient: () => new Client(info) as unknown as SdkClient,
  createStdioServer: () => new StdioServerTransport(),
  createStdioClient: (command, args) => new StdioClientTransport({ command, args }),
  createHttpClient: (url, headers) =>
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
  createModernClient() {
    const versionNegotiation = { mode: { pin: "2026-07-28" } } as const;
    return new Client(info, { versionNegotiation }) as unknown as SdkClient;
  },
  // Serves the modern era, and earlier clients without sessions: a server for each request.
  async createHttpListener(create) {
    const handler = createMcpHandler(() => create() as unknown as McpServer);
    const listener = toNodeHandler(handler);
    return (request, response) => void listener(request as TheirRequest, response);
  },
  async report(extra) {
    const { mcpReq } = extra as {
      readonly mcpReq: {
        readonly _meta: { readonly progressToken: number };
        notify(message: object): Promise<void>;
      };
    };
    const params = { progressToken: mcpReq._meta.progressToken, progress: 1 };
    await mcpReq.notify({ method: "notifications/progress", params });
  },
});
