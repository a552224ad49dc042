import { McpClient } from "@idewire/core/client";
import { RpcError, RpcErrorCode } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { createHttpTransport, createMcpHandler } from "@idewire/http";
import fc from "fast-check";
import { expect } from "vitest";
import { anyText, seed } from "./fuzz.ts";

const marked = (type: string, header: string) => ({ type, "x-mcp-header": header });
const schema = {
  type: "object" as const,
  properties: {
    text: marked("string", "Text"),
    count: marked("integer", "Count"),
    flag: marked("boolean", "Flag"),
    deep: { type: "object", properties: { text: marked("string", "Deep-Text") } },
    plain: {},
  },
};

/** A text that a header may have as it is, or hardly. */
const headerText = fc.oneof(
  anyText,
  fc.constantFrom("", " ", "\t", " a", "a ", "a\tb", "\r\n", "\u0000", "é", "\ud800", "-0", "true"),
  fc.constantFrom("=?base64?YQ==?=", "=?base64??=", "=?BASE64?YQ==?=", "=?base64?", "a, b", '"'),
);
const calls = fc.record(
  {
    text: headerText,
    count: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-0, 1e21, 1e300)),
    flag: fc.boolean(),
    deep: fc.oneof(fc.record({ text: headerText }), fc.constant({})),
    plain: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: [] },
);

async function connect() {
  const received: unknown[] = [];
  const info = { name: "t", version: "1" };
  const server = new McpServer(info);
  server.tool("echo", { input: schema }, (given) => {
    received.push(given);
    return "";
  });
  const handler = createMcpHandler(server, { access: "anyone" });
  const transport = createHttpTransport("http://127.0.0.1/mcp", {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = await McpClient.connect(transport, { ...info, era: "modern" });
  // From then on the client knows which arguments it has to repeat.
  await client.listTools();
  const close = () => {
    client.close();
    handler.close();
  };
  return { client, received, close };
}

/** The law: what a request repeats in its headers is what its server reads there, whatever that is. */
export async function fuzzHeaders(numRuns: number): Promise<void> {
  const { client, received, close } = await connect();
  const law = fc.asyncProperty(calls, headerText, async (given, name) => {
    await client.callTool("echo", given);
    expect(received.pop()).toEqual(JSON.parse(JSON.stringify(given)));
    const refused = await client.callTool(name).catch((error: unknown) => error);
    if (!(refused instanceof RpcError)) throw refused;
    // There is no such tool, but its name has arrived.
    expect(refused.code).toBe(RpcErrorCode.InvalidParams);
  });
  try {
    await fc.assert(law, { seed, numRuns });
  } finally {
    close();
  }
}
