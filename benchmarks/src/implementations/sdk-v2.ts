import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Implementation } from "../implementation.ts";
import { createSdkImplementation, type SdkClient, type SdkServer } from "./sdk.ts";

const info = { name: "bench", version: "1.0.0" };

/** `@modelcontextprotocol/server` and `/client` 2.4, with the handshake that is their default. */
export const sdkV2: Implementation = createSdkImplementation({
  createServer: () => new McpServer(info) as unknown as SdkServer,
  createClient: () => new Client(info) as unknown as SdkClient,
  createStdioServer: () => new StdioServerTransport(),
  createStdioClient: (command, args) => new StdioClientTransport({ command, args }),
});
