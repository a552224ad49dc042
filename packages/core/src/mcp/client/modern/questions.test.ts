import * as v from "valibot";
import { expect, test, vi } from "vitest";
import type { Call } from "../../../rpc/call.ts";
import { createMemoryTransportPair } from "../../../rpc/memory-transport.ts";
import { asObject, type RawMessage } from "../../../rpc/message.ts";
import { RawEnd } from "../../../testing/raw-end.ts";
import { McpServer } from "../../server/server.ts";
import type { ServerCall } from "../../server/server-call.ts";
import { McpClient } from "../client.ts";
import { elicitation } from "../elicitation.ts";
import type { ClientFeature } from "../feature.ts";
import { Roots } from "../roots.ts";
import { sampling } from "../sampling.ts";

const info = { name: "me", version: "1" };
const nameForm = v.object({ name: v.string() });

/** A client of a real server whose tool asks. */
async function ask(
  run: (call: ServerCall) => Promise<unknown>,
  features: readonly ClientFeature[],
  isModern = true,
) {
  const server = new McpServer(info);
  server.tool("t", {}, async (_, call) => JSON.stringify(await run(call)));
  const [left, right] = createMemoryTransportPair();
  server.connect(left);
  const client = await McpClient.connect(right, {
    ...info,
    features,
    era: isModern ? "auto" : "legacy",
  });
  expect(client.era).toBe(isModern ? "modern" : "legacy");
  return client.callTool("t");
}

const features = [
  elicitation({
    form: ({ message }) => ({ action: "accept", content: { name: `to ${message}` } }),
    url: ({ url }) => ({ action: url === "https://x.test/" ? "accept" : "cancel" }),
  }),
  sampling(async () => ({
    role: "assistant",
    content: { type: "text", text: "4" },
    model: "m",
  })),
  new Roots(() => [{ uri: "file:///w" }]),
];

test.each([true, false])("the same handlers answer in both eras (modern: %s)", async (isModern) => {
  const { content } = await ask(
    async (call) => {
      const asked = await Promise.all([call.ask("Who?", nameForm), call.roots()]);
      const visited = await call.askUrl({ message: "Log in", url: "https://x.test/" });
      const { content } = await call.sample({ messages: [], maxTokens: 5 });
      return [...asked, visited, content];
    },
    features,
    isModern,
  );
  expect(content.map((block) => block.type === "text" && JSON.parse(block.text))).toEqual([
    [
      { action: "accept", content: { name: "to Who?" } },
      [{ uri: "file:///w" }],
      { action: "accept" },
      { type: "text", text: "4" },
    ],
  ]);
});

async function script(given: readonly ClientFeature[] = features) {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const connecting = McpClient.connect(left, { ...info, features: given });
  const [question] = await server.take();
  server.answer(question?.id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } });
  const client = await connecting;
  return { client, server };
}

const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const form = { method: "elicitation/create", params: { message: "?", requestedSchema } };

/** The parameters of a request, as repeated by the next one, whose progress token is its own id. */
function repeated(first: RawMessage | undefined, next: RawMessage | undefined) {
  const { _meta, ...params } = asObject(first?.params);
  return { ...params, _meta: { ...asObject(_meta), progressToken: next?.id } };
}

test("the answers are sent with a new id, the same parameters and the unchanged state", async () => {
  const { client, server } = await script();
  const call = client.callTool("t", { n: 1 });
  const [first] = await server.take();
  const requestState = ' {"not":"ours"}\u0000ä';
  server.answer(first?.id, {
    resultType: "input_required",
    inputRequests: JSON.parse(`{"a":${JSON.stringify(form)},"__proto__":{"method":"roots/list"}}`),
    requestState,
  });
  const [second] = await server.take();
  expect(second?.id).not.toBe(first?.id);
  expect(second?.params).toEqual({
    ...repeated(first, second),
    requestState,
    inputResponses: JSON.parse(
      '{"a":{"action":"accept","content":{"name":"to ?"}},"__proto__":{"roots":[{"uri":"file:///w"}]}}',
    ),
  });
  server.answer(second?.id, { resultType: "input_required", requestState: "only" });
  const [third] = await server.take();
  expect(third?.params).toEqual({ ...repeated(first, third), requestState: "only" });
  server.answer(third?.id, { resultType: "complete", content: [], requestState: "no" });
  expect(await call).toMatchObject({ content: [] });
});

test("the eleventh round is an error", async () => {
  const { client, server } = await script();
  const call = client.callTool("t").catch((error) => error);
  for (let round = 1; round <= 11; round += 1) {
    const [request] = await server.take();
    expect(request?.method, `round ${round}`).toBe("tools/call");
    server.answer(request?.id, { resultType: "input_required", requestState: "again" });
  }
  expect(await call).toMatchObject({
    code: "protocol",
    message: "tools/call: the server still asks after 10 rounds",
  });
  expect(await server.take()).toEqual([]);
});

test("an unannounced form is declined; a question that cannot be declined fails the request with a message", async () => {
  const { client, server } = await script([new Roots(() => [])]);
  const call = client.callTool("t");
  const [first] = await server.take();
  server.answer(first?.id, { resultType: "input_required", inputRequests: { a: form } });
  const [second] = await server.take();
  expect(second?.params).toMatchObject({ inputResponses: { a: { action: "decline" } } });
  const inputRequests = { m: { method: "sampling/createMessage" } };
  server.answer(second?.id, { resultType: "input_required", inputRequests });
  await expect(call).rejects.toMatchObject({
    code: "protocol",
    message: "The server asks sampling/createMessage, which this client has not announced",
  });
});

test("a client without features declines forms, and repeats a state without any", async () => {
  const { client, server } = await script([]);
  const call = client.callTool("t");
  const [first] = await server.take();
  server.answer(first?.id, { resultType: "input_required", requestState: "s" });
  const [second] = await server.take();
  expect(second?.params).toMatchObject({ requestState: "s" });
  server.answer(second?.id, { resultType: "input_required", inputRequests: { a: form } });
  const [third] = await server.take();
  expect(third?.params).toMatchObject({ inputResponses: { a: { action: "decline" } } });
  server.answer(third?.id, { content: [] });
  expect(await call).toEqual({ content: [] });
});

test.each([
  ["nothing at all", { resultType: "input_required" }],
  ["invalid questions", { resultType: "input_required", inputRequests: { a: 5 } }],
  ["a list of questions", { resultType: "input_required", inputRequests: [form] }],
  [
    "a form without a schema",
    { resultType: "input_required", inputRequests: { a: { method: "elicitation/create" } } },
  ],
])("a round of %s fails the request", async (_, result) => {
  const { client, server } = await script();
  const call = client.callTool("t");
  const [first] = await server.take();
  server.answer(first?.id, result);
  await expect(call).rejects.toMatchObject({ code: "protocol" });
  expect(await server.take()).toEqual([]);
});

test("only three methods may be answered by questions", async () => {
  const { client, server } = await script();
  const list = client.listTools();
  const [first] = await server.take();
  server.answer(first?.id, { resultType: "input_required", requestState: "s" });
  await expect(list).rejects.toMatchObject({
    code: "protocol",
    message: 'The server answered tools/list with {"resultType":"input_required"}',
  });
});

test("cancelling during a question stops the wait and withdraws the question", async () => {
  let question: Call | undefined;
  const never = vi.fn((_: unknown, call: Call) => {
    question = call;
    return new Promise<never>(() => {});
  });
  const { client, server } = await script([elicitation({ form: never })]);
  const controller = new AbortController();
  const call = client.callTool("t", {}, { signal: controller.signal });
  const [first] = await server.take();
  server.answer(first?.id, { resultType: "input_required", inputRequests: { a: form } });
  await expect.poll(() => never).toHaveBeenCalled();
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  expect(question?.signal.aborted).toBe(true);
});
