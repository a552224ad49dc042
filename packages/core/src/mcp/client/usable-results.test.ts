import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd, settled } from "../../testing/raw-end.ts";
import { McpClient } from "./client.ts";

const info = { name: "me", version: "1" };
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };

async function connect(era: "legacy" | "modern" = "legacy") {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const onwarning = vi.fn();
  const onnotification = vi.fn();
  const connecting = McpClient.connect(left, { ...info, era, onwarning, onnotification });
  const [first] = await server.take();
  const supportedVersions = ["2026-07-28"];
  const hello = { protocolVersion: "2025-11-25", supportedVersions, capabilities };
  server.answer(first?.id, { ...hello, serverInfo: info });
  const client = await connecting;
  await server.take();
  /** The client's result for an answer. */
  const given = async (result: unknown, ask: (client: McpClient) => Promise<unknown>) => {
    const reading = ask(client);
    const [request] = await server.take();
    server.answer(request?.id, result);
    return reading;
  };
  return { client, server, given, onwarning, onnotification };
}

const text = { type: "text", text: "usable" };
const link = { type: "resource_link", uri: "a:1" };
const embedded = { type: "resource", resource: { uri: "a:1", blob: "AAAA" } };
const reference = { type: "ref/prompt", name: "p" } as const;
const completion = (client: McpClient) => client.complete({ reference, argument: "a", value: "" });

test.each<[string, object, (client: McpClient) => Promise<unknown>, unknown]>([
  ["content", { content: [null, text] }, (c) => c.callTool("t"), { content: [text] }],
  [
    "messages",
    { messages: [7, { role: "user", content: text }] },
    (c) => c.getPrompt("p"),
    {
      messages: [{ role: "user", content: text }],
    },
  ],
  [
    "contents",
    { contents: [{ uri: "a:1", text: "x" }, "no"] },
    (c) => c.readResource("a:1"),
    [{ uri: "a:1", text: "x" }],
  ],
  ["values", { completion: { values: ["a", null, 5] } }, completion, { values: ["a"] }],
])(
  "one bad item in %s does not hide the others, and is reported",
  async (member, result, ask, usable) => {
    const { given, onwarning } = await connect();
    expect(await given(result, ask)).toEqual(usable);
    expect(onwarning.mock.calls).toEqual([[expect.stringContaining(`in its ${member}`)]]);
  },
);

test.each<[string, unknown]>([
  ["a text that is a number", { type: "text", text: 7 }],
  ["a text that is null", { type: "text", text: null }],
  ["no kind", { text: "without a kind" }],
  ["a kind that is a number", { type: 7, text: "x" }],
  ["an image without data", { type: "image", mimeType: "image/png" }],
  ["an image of another kind of media type", { type: "image", data: "AAAA", mimeType: {} }],
  ["audio without data", { type: "audio", data: [] }],
  ["a link without an address", { type: "resource_link", name: "a" }],
  ["a link whose name is a list", { ...link, name: ["a"] }],
  ["a resource that is missing", { type: "resource" }],
  ["a resource without contents", { type: "resource", resource: { uri: "a:1" } }],
  ["a resource whose text is an object", { type: "resource", resource: { uri: "a:1", text: {} } }],
  ["a list", [text]],
  ["a bare text", "usable"],
])("an item with %s is left out of any result, and reported", async (_, bad) => {
  const { given, onwarning } = await connect();
  const called = given({ content: [text, bad, link] }, (client) => client.callTool("t"));
  expect(await called).toEqual({ content: [text, link] });
  const messages = [bad, text].map((content) => ({ role: "user", content }));
  const result = await given({ messages }, (client) => client.getPrompt("p"));
  expect(result).toEqual({ messages: [{ role: "user", content: text }] });
  expect(onwarning).toHaveBeenCalledTimes(2);
});

test("items that lack only descriptive members, and items of a later revision, are usable", async () => {
  const { given, onwarning } = await connect();
  const later = { type: "hologram", data: 7, name: null };
  const content = [{ type: "image", data: "AAAA" }, link, embedded, { type: "toString" }];
  const result = await given({ content: [...content, later] }, (c) => c.callTool("t"));
  expect(result).toEqual({ content: [...content, { type: "hologram", data: 7 }] });
  const contents = [{ text: "without its address" }];
  expect(await given({ contents }, (c) => c.readResource("a:1"))).toEqual(contents);
  expect(onwarning).not.toHaveBeenCalled();
});

test.each([
  ["no content", {}],
  ["no content", { content: null }],
  ["no usable content", { content: [{ text: 7 }] }],
  ["no usable content", { content: "done" }],
])("a structured value is given to the client of a result with %s: %j", async (words, content) => {
  const { given, onwarning } = await connect();
  const result = { ...content, structuredContent: { a: 1 } };
  const called = await given(result, (client) => client.callTool("t"));
  expect(called).toEqual({ content: [], structuredContent: { a: 1 } });
  expect(onwarning.mock.calls).toEqual([
    [expect.stringMatching(`structuredContent and ${words}$`)],
  ]);
});

test.each<[object, (client: McpClient) => Promise<unknown>]>([
  [{ content: [{ text: 7 }] }, (c) => c.callTool("t")],
  [{ content: [{ text: 7 }], structuredContent: null }, (c) => c.callTool("t")],
  [{ contents: [{ uri: "a:1", text: 7 }] }, (c) => c.readResource("a:1")],
  [{ messages: [{ role: 7, content: text }] }, (c) => c.getPrompt("p")],
  [{ content: [null] }, (c) => c.callTool("t")],
  [{ messages: ["no"] }, (c) => c.getPrompt("p")],
  [{ contents: [[]] }, (c) => c.readResource("a:1")],
  [{ completion: { values: [5] } }, completion],
])("an answer without a usable item is an error: %j", async (result, ask) => {
  const { given, onwarning } = await connect();
  await expect(given(result, ask)).rejects.toMatchObject({ code: "protocol" });
  expect(onwarning).not.toHaveBeenCalled();
});

test.each<[object, (client: McpClient) => Promise<unknown>, unknown]>([
  [
    { content: [{ ...text, annotations: null }], structuredContent: null, isError: null },
    (c) => c.callTool("t"),
    { content: [text] },
  ],
  [{ messages: [], description: null }, (c) => c.getPrompt("p"), { messages: [] }],
  [
    { contents: [{ uri: "a:1", text: "x", mimeType: null }] },
    (c) => c.readResource("a:1"),
    [{ uri: "a:1", text: "x" }],
  ],
  [{ completion: { values: [], total: null, hasMore: null } }, completion, { values: [] }],
])("null in a result means absent: %j", async (result, ask, usable) => {
  const { given, onwarning } = await connect();
  expect(await given(result, ask)).toEqual(usable);
  expect(onwarning).not.toHaveBeenCalled();
});

test.each([
  ["legacy", { a: null, b: [null] }],
  ["modern", null],
] as const)(
  "null inside structured content of the %s era is data",
  async (era, structuredContent) => {
    const { given } = await connect(era);
    const result = { content: [], structuredContent, resultType: null };
    expect(await given(result, (c) => c.callTool("t"))).toEqual({ content: [], structuredContent });
  },
);

test("questions that are null are absent, beside a state", async () => {
  const { client, server } = await connect("modern");
  const call = client.callTool("t");
  const [first] = await server.take();
  const result = { resultType: "input_required", requestState: "s", inputRequests: null };
  server.answer(first?.id, result);
  const [second] = await server.take();
  expect(second?.params).toMatchObject({ requestState: "s" });
  server.answer(second?.id, { content: [text] });
  expect(await call).toEqual({ content: [text] });
});

test("null parameters of a server count as absent: a notification is delivered, a request answered", async () => {
  const { server, onnotification } = await connect();
  server.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed", params: null });
  server.send({ jsonrpc: "2.0", id: 7, method: "ping", params: null });
  await settled();
  expect(onnotification.mock.calls).toEqual([["notifications/tools/list_changed", undefined]]);
  expect(await server.take()).toEqual([{ jsonrpc: "2.0", id: 7, result: {} }]);
});

test("a later page that the server refuses ends its list, with a warning; a first one fails it", async () => {
  const { client, server, onwarning } = await connect();
  const error = { code: -32_603, message: "bad page" };
  const list = client.listTools();
  const [first] = await server.take();
  server.answer(first?.id, { tools: [{ name: "a", inputSchema: {} }], nextCursor: "2" });
  const [second] = await server.take();
  server.send({ jsonrpc: "2.0", id: second?.id, error });
  expect((await list).map(({ name }) => name)).toEqual(["a"]);
  expect(onwarning.mock.calls).toEqual([["tools/list: bad page (-32603); the list ends here"]]);
  const refused = client.listTools();
  const [only] = await server.take();
  server.send({ jsonrpc: "2.0", id: only?.id, error });
  await expect(refused).rejects.toMatchObject(error);
});
