import { expect, test, vi } from "vitest";
import { McpClient } from "./mcp/client/client.ts";
import type { McpClientOptions } from "./mcp/client/client-options.ts";
import { elicitation } from "./mcp/client/elicitation.ts";
import { Roots } from "./mcp/client/roots.ts";
import { sampling } from "./mcp/client/sampling.ts";
import { McpServer } from "./mcp/server/server.ts";
import { createMemoryTransportPair } from "./rpc/memory-transport.ts";
import { Peer } from "./rpc/peer.ts";
import { connectInMemory } from "./testing/connect-in-memory.ts";
import { peerFixture } from "./testing/peer-fixture.ts";
import { settled } from "./testing/raw-end.ts";

const open = () => createMemoryTransportPair()[0];

test.each<[string, () => unknown, string]>([
  [
    "a peer's unknown option",
    () => new Peer(open(), { onError: () => {} } as never),
    'Peer: unknown option "onError"; the options are handler, owner,',
  ],
  [
    "an invalid handler of a peer",
    () => new Peer(open()).handle("add", 5 as never),
    "The handler of add: expected a function, got 5",
  ],
  [
    "roots that are not a function",
    () => new Roots([] as never),
    "Roots: expected a function, got",
  ],
  [
    "a model that is not a function",
    () => sampling({} as never),
    "sampling: expected a function, got",
  ],
  [
    "a form that is not a function",
    () => elicitation({ form: true as never }),
    "elicitation, form: expected a function, got true",
  ],
])("%s is refused at once, and named", (_, act, message) => {
  expect(act).toThrow(message);
  expect(act).toThrow(expect.objectContaining({ code: "invalid-argument" }));
});

test("a transport carries one peer: a second one is refused", () => {
  const transport = open();
  new Peer(transport);
  expect(() => new Peer(transport)).toThrow("Peer: the transport has a peer already");
});

test.each<[object, string]>([
  [{ onError: () => {} }, 'An MCP client: unknown option "onError"'],
  [{ peer: { maxFrame: 1 } }, 'An MCP client, peer: unknown option "maxFrame"'],
  [{ era: "old" }, 'An MCP client, era: expected "auto", "legacy", "modern", got "old"'],
  [{ features: [elicitation] }, "An MCP client, features[0]: expected a feature"],
  [{ onerror: "log" }, 'An MCP client, onerror: expected a function, got "log"'],
  [{ name: undefined }, "An MCP client, name: expected a text, got nothing"],
])("a client with %j is refused before anything is sent", async (options, message) => {
  const all = { name: "me", version: "1", ...options } as McpClientOptions;
  await expect(McpClient.connect(open(), all)).rejects.toThrow(message);
});

test.each(["legacy", "modern"] as const)(
  "a call after close is refused in the %s era, with the reason",
  async (era) => {
    const client = await connectInMemory(new McpServer({ name: "s", version: "1" }), { era });
    await client.close();
    await expect(client.callTool("t")).rejects.toMatchObject({
      code: "closed",
      message: "The connection was closed by this side",
    });
  },
);

test("a bug of a handler is printed to the console without an onerror", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const { peer, other } = peerFixture({ onerror: undefined } as never);
  const bug = new Error("a bug");
  peer.handle("fail", () => {
    throw bug;
  });
  other.request(1, "fail");
  await settled();
  expect(error.mock.calls).toEqual([[bug]]);
  error.mockRestore();
});

test("a server that was closed has closed its connections, and takes no further ones", async () => {
  const server = new McpServer({ name: "s", version: "1" });
  const client = await connectInMemory(server);
  await server[Symbol.asyncDispose]();
  await expect(client.ping()).rejects.toMatchObject({ code: "closed" });
  for (const call of [() => server.connect(open()), () => server.handle({}, {} as never)]) {
    expect(call).toThrow("The server s was closed");
  }
});
