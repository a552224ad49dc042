import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, test } from "vitest";

const token = "secret-of-the-test";
const info = { name: "their-client", version: "1.0.0" };
const requestInit = { headers: { authorization: `Bearer ${token}` } };

const sdks = {
  "1.32": async (url: URL) => {
    const client = new Client(info);
    const transport = new StreamableHTTPClientTransport(url, { requestInit });
    await client.connect(transport as Parameters<Client["connect"]>[0]);
    return client;
  },
  "2.4": async (url: URL) => {
    const client = new ModernClient(info);
    await client.connect(new ModernTransport(url, { requestInit }));
    return client;
  },
};

test.each(Object.entries(sdks))(
  "the client of the official SDK %s lists, calls and receives changes over HTTP",
  async (_, connect) => {
    const server = new McpServer({ name: "ours", version: "1.0.0" });
    server.tool("echo", {}, (args) => JSON.stringify(args));
    const listener = await listenMcp(server, { token });
    const client = await connect(new URL(listener.url));
    try {
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
      const result = await client.callTool({ name: "echo", arguments: { a: "ä 🦊" } });
      expect(result.content).toEqual([{ type: "text", text: '{"a":"ä 🦊"}' }]);
    } finally {
      await client.close();
      await listener.close();
    }
  },
);
