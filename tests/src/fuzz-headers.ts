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

/** A text that a header can carry verbatim, or that needs encoding. */
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
  // From then on, the client knows the arguments to repeat in headers.
  await client.listTools();
  const close = () => {
    client.close();
    handler.close();
  };
  return { client, received, close };
}

/** The law: a server reads from the headers exactly the values that the request repeats there. */
export async function fuzzHeaders(numRuns: number): Promise<void> {
  const { client, received, close } = await connect();
  const law = fc.asyncProperty(calls, headerText, async (given, name) => {
    await client.callTool("echo", given);
    expect(received.pop()).toEqual(JSON.parse(JSON.stringify(given)));
    const refused = await client.callTool(name).catch((error: unknown) => error);
    if (!(refused instanceof RpcError)) throw refused;
    // The tool does not exist, but its name has arrived.
    expect(refused.code).toBe(RpcErrorCode.InvalidParams);
  });
  try {
    await fc.assert(law, { seed, numRuns });
  } finally {
    close();
  }
}
