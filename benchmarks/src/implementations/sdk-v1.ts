import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Implementation } from "../implementation.ts";
import {
  createSdkImplementation,
  type SdkClient,
  type SdkServer,
  type SdkTransportLike,
} from "./sdk.ts";

const info = { name: "bench", version: "1.0.0" };

/** `@modelcontextprotocol/sdk` 1.32. */
export const sdkV1: Implementation = createSdkImplementation({
  createServer: () => new McpServer(info) as unknown as SdkServer,
  createClient: () => new Client(info) as unknown as SdkClient,
  createStdioServer: () => new StdioServerTransport(),
  createStdioClient: (command, args) => new StdioClientTransport({ command, args }),
  createHttpClient: (url, headers) =>
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
  // With a session and JSON answers, or streams if progress is reported.
  async createHttpListener(create, { progress = false }) {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: !progress,
    });
    await create().connect(transport as unknown as SdkTransportLike);
    return (request, response) => void transport.handleRequest(request, response);
  },
  async report(extra) {
    const { _meta, sendNotification } = extra as {
      readonly _meta: { readonly progressToken: number };
      sendNotification(message: object): Promise<void>;
    };
    const params = { progressToken: _meta.progressToken, progress: 1 };
    await sendNotification({ method: "notifications/progress", params });
  },
});
