import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd } from "../../testing/raw-end.ts";
import { McpClient } from "./client.ts";

const many = `[${"1,".repeat(300_000)}1]`;

async function connect() {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const onrefused = vi.fn();
  const info = { name: "me", version: "1" };
  const connecting = McpClient.connect(left, { ...info, peer: { onrefused }, era: "legacy" });
  await server.take();
  server.answer(1_000_000, { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: info });
  const client = await connecting;
  await server.take();
  return { client, server, onrefused };
}

test.each([
  ["too many values", (id: number) => `{"jsonrpc":"2.0","id":${id},"result":${many}}`],
  ["its id last", (id: number) => `{"result":${many}, "jsonrpc":"2.0" , "id" : ${id} }\n`],
  ["its id before the version", (id: number) => `{"result":${many},"id":${id},"jsonrpc":"2.0"}`],
])(
  "an answer with %s fails its request at once, no other, and is not answered",
  async (_, frame) => {
    const { client, server, onrefused } = await connect();
    const answer = client.request("first");
    const other = client.request("second");
    server.send(frame(1_000_001));
    await expect(answer).rejects.toMatchObject({
      code: "protocol",
      message: expect.stringMatching(/^The answer of the server cannot be read: Parse error: /),
    });
    server.answer(1_000_002, { fine: true });
    expect(await other).toEqual({ fine: true });
    expect((await server.take()).map(({ method }) => method)).toEqual(["first", "second"]);
    expect(onrefused).toHaveBeenCalledTimes(1);
  },
);

test("messages on one line are all taken, in their order, after a banner too", async () => {
  const { client, server, onrefused } = await connect();
  const [first, second] = [client.request("first"), client.request("second")];
  const answer = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"a":{"id":${id}}}}`;
  const notice = `{"jsonrpc":"2.0","method":"notifications/x","params":{"method":"a"}}`;
  server.send(`${answer(1_000_001)}${notice} ${answer(1_000_002)}`);
  expect(await first).toEqual({ a: { id: 1_000_001 } });
  expect(await second).toEqual({ a: { id: 1_000_002 } });
  const [third, fourth] = [client.request("third"), client.request("fourth")];
  server.send(`ready {${answer(1_000_003)}${answer(1_000_004)}`);
  expect(await third).toEqual({ a: { id: 1_000_003 } });
  expect(await fourth).toEqual({ a: { id: 1_000_004 } });
  expect(onrefused).not.toHaveBeenCalled();
});

test.each([
  [
    "a request",
    (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"roots/list","params":{"a":${many}}}`,
  ],
  [
    "a notification that names an id",
    (id: number) =>
      `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${many},"data":{"id":${id}}}}`,
  ],
  ["words", (id: number) => `listening, id: ${id}, take care`],
])("%s of the server that cannot be read fails no request", async (_, frame) => {
  const { client, server, onrefused } = await connect();
  const answer = client.request("first");
  server.send(frame(1_000_001));
  server.answer(1_000_001, { fine: true });
  expect(await answer).toEqual({ fine: true });
  expect(onrefused).toHaveBeenCalledTimes(1);
});
