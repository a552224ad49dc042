import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Implementation } from "../implementation.ts";
import { createSdkImplementation, type SdkClient, type SdkServer } from "./sdk.ts";

const info = { name: "bench", version: "1.0.0" };

/** `@modelcontextprotocol/sdk` 1.32. */
export const sdkV1: Implementation = createSdkImplementation({
  createServer: () => new McpServer(info) as unknown as SdkServer,
  createClient: () => new Client(info) as unknown as SdkClient,
  createStdioServer: () => new StdioServerTransport(),
  createStdioClient: (command, args) => new StdioClientTransport({ command, args }),
  createHttpServer: () =>
    new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse: true }),
});
