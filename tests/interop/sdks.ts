import type { Readable, Writable } from "node:stream";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioClientV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { completable as completableV1 } from "@modelcontextprotocol/sdk/server/completable.js";
import {
  ResourceTemplate as ResourceTemplateV1,
  McpServer as ServerV1,
} from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport as StdioServerV1 } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  completable as completableV2,
  ResourceTemplate as ResourceTemplateV2,
  McpServer as ServerV2,
} from "@modelcontextprotocol/server";
import { StdioServerTransport as StdioServerV2 } from "@modelcontextprotocol/server/stdio";
import type { SdkTransport } from "./sdk-transport.ts";

/** The requests and notifications that a client receives, by their names in 1.x. */
const schemas = {
  "sampling/createMessage": CreateMessageRequestSchema,
  "elicitation/create": ElicitRequestSchema,
  "roots/list": ListRootsRequestSchema,
  "notifications/message": LoggingMessageNotificationSchema,
  "notifications/resources/updated": ResourceUpdatedNotificationSchema,
  "notifications/resources/list_changed": ResourceListChangedNotificationSchema,
  "notifications/tools/list_changed": ToolListChangedNotificationSchema,
};

export type ReceivedMethod = keyof typeof schemas;
type Listen = (message: { readonly params?: unknown }) => unknown;

/** One of the official SDKs, with the types of 1.x where 2.x has the same. */
export interface Sdk {
  readonly name: string;
  createClient(capabilities: object): ClientV1;
  /** Handles a request or a notification. */
  listen(client: ClientV1, method: ReceivedMethod, listener: Listen): void;
  createServer(capabilities: object): ServerV1;
  /** Their client's end of a child process. */
  spawnStdio(child: { readonly command: string; readonly args: string[] }): SdkTransport;
  /** Their server's end of two streams. */
  serveStdio(input: Readable, output: Writable): SdkTransport;
  readonly ResourceTemplate: typeof ResourceTemplateV1;
  readonly completable: typeof completableV1;
}

const info = { name: "official", version: "1.0.0" };

const v1: Sdk = {
  name: "1.32",
  createClient: (capabilities) => new ClientV1(info, { capabilities }),
  listen(client, method, listener) {
    const target = client as unknown as Record<string, (schema: unknown, run: Listen) => void>;
    const add = method.startsWith("notifications/")
      ? "setNotificationHandler"
      : "setRequestHandler";
    target[add]?.(schemas[method], listener);
  },
  spawnStdio: (child) => new StdioClientV1({ ...child, stderr: "ignore" }) as SdkTransport,
  serveStdio: (input, output) => new StdioServerV1(input, output) as SdkTransport,
  createServer: (capabilities) => new ServerV1(info, { capabilities }),
  ResourceTemplate: ResourceTemplateV1,
  completable: completableV1,
};

const v2: Sdk = {
  name: "2.4",
  createClient: (capabilities) => new ClientV2(info, { capabilities }) as unknown as ClientV1,
  listen(client, method, listener) {
    const target = client as unknown as Record<string, (method: string, run: Listen) => void>;
    const add = method.startsWith("notifications/")
      ? "setNotificationHandler"
      : "setRequestHandler";
    target[add]?.(method, listener);
  },
  spawnStdio: (child) => new StdioClientV2({ ...child, stderr: "ignore" }) as SdkTransport,
  serveStdio: (input, output) => new StdioServerV2(input, output) as SdkTransport,
  createServer: (capabilities) => new ServerV2(info, { capabilities }) as unknown as ServerV1,
  ResourceTemplate: ResourceTemplateV2 as unknown as typeof ResourceTemplateV1,
  completable: completableV2 as unknown as typeof completableV1,
};

export const sdks: readonly Sdk[] = [v1, v2];
