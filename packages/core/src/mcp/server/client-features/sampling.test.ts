import { expect, test, vi } from "vitest";
import { RpcError } from "../../../errors.ts";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import { type SamplingHandler, type SamplingOptions, sampling } from "../../client/sampling.ts";
import { textResult } from "../../content.ts";
import {
  type CreateMessageParams,
  findMessagesFault,
  type SamplingMessage,
} from "../../sampling.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";
import { createMessage } from "./sampling.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
const text = (words: string) => ({ type: "text", text: words }) as const;
const send = (words: string): SamplingMessage => ({ role: "user", content: text(words) });
const question: CreateMessageParams = { messages: [send("2 + 2?")], maxTokens: 10 };
const four = {
  role: "assistant",
  content: text("4"),
  model: "small",
  stopReason: "endTurn",
} as const;

const server = new McpServer({ name: "s", version: "1" });
server.tool("think", {}, async (_, call) => JSON.stringify(await call.sample(question)));

function join(
  protocolVersion: LegacyRevision = "2025-11-25",
  handler: SamplingHandler = () => four,
  options?: SamplingOptions,
) {
  return joinInMemory(server, undefined, {
    protocolVersion,
    features: [sampling(handler, options)],
  });
}

test.each(revisions)("in %s a tool requests its caller's model", async (revision) => {
  const handler = vi.fn<SamplingHandler>(async () => four);
  const { client } = await join(revision, handler);
  expect(await client.callTool("think")).toEqual(textResult(JSON.stringify(four)));
  expect(handler.mock.calls[0]?.[0]).toEqual(question);
});

test.each([
  ["2024-11-05", {}],
  ["2025-06-18", {}],
  ["2025-11-25", { tools: {}, context: {} }],
] as const)("in %s tools and context are announced as %j", async (revision, able) => {
  const { connection } = await join(revision, undefined, { tools: true, context: true });
  expect(connection.clientCapabilities).toEqual({ sampling: able });
});

test("the person's refusal is an error in the server's tool", async () => {
  const { connection } = await join("2025-11-25", () => {
    throw new RpcError(-1, "User rejected sampling request");
  });
  await expect(createMessage({ caller: connection }, question)).rejects.toMatchObject({ code: -1 });
});

test("cancelling a call cancels its request to the model", async () => {
  let signal: AbortSignal | undefined;
  const { client } = await join("2025-11-25", (_, call) => {
    signal = call.signal;
    return new Promise(() => {});
  });
  const controller = new AbortController();
  const call = client.callTool("think", {}, { signal: controller.signal });
  await settled();
  expect(signal?.aborted).toBe(false);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await settled();
  expect(signal?.aborted).toBe(true);
});

const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;
const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" } as const;
const use = { type: "tool_use", id: "u1", name: "add", input: {} } as const;
const result = { type: "tool_result", toolUseId: "u1", content: [] } as const;
const toolLoop: CreateMessageParams = {
  ...question,
  messages: [
    send("add"),
    { role: "assistant", content: [use] },
    { role: "user", content: [result] },
  ],
};
const tool = { name: "add", inputSchema: { type: "object" } } as const;

const limits: readonly [string, LegacyRevision, SamplingOptions, Partial<CreateMessageParams>][] = [
  ["sound before 2025-03-26", "2024-11-05", {}, { messages: [{ role: "user", content: audio }] }],
  [
    "two items before 2025-11-25",
    "2025-06-18",
    {},
    { messages: [{ role: "user", content: [image, image] }] },
  ],
  ["tools before 2025-11-25", "2025-06-18", { tools: true }, { tools: [tool] }],
  ["tools of a client without", "2025-11-25", {}, { tools: [tool] }],
  ["a choice of tools of a client without", "2025-11-25", {}, { toolChoice: { mode: "auto" } }],
  ["results of tools of a client without", "2025-11-25", {}, toolLoop],
  ["context of a client without", "2025-11-25", {}, { includeContext: "allServers" }],
  [
    "a result that is missing",
    "2025-11-25",
    { tools: true },
    { messages: toolLoop.messages.slice(0, 2) },
  ],
];

test.each(limits)("%s is not requested", async (_, revision, options, more) => {
  const { connection, recorder } = await join(revision, undefined, options);
  const before = recorder.frames.length;
  await expect(
    createMessage({ caller: connection }, { ...question, ...more }),
  ).rejects.toMatchObject({
    code: "protocol",
  });
  expect(recorder.frames.length).toBe(before);
});

const possible: readonly [string, LegacyRevision, SamplingOptions, Partial<CreateMessageParams>][] =
  [
    ["sound", "2025-03-26", {}, { messages: [{ role: "user", content: audio }] }],
    ["a picture", "2024-11-05", {}, { messages: [{ role: "user", content: image }] }],
    ["two items", "2025-11-25", {}, { messages: [{ role: "user", content: [image, audio] }] }],
    ["a loop of tools", "2025-11-25", { tools: true }, { ...toolLoop, tools: [tool] }],
    ["context, before it was a capability", "2025-06-18", {}, { includeContext: "thisServer" }],
    ["context", "2025-11-25", { context: true }, { includeContext: "thisServer" }],
  ];

test.each(possible)("%s is requested in %s", async (_, revision, options, more) => {
  const { connection } = await join(revision, undefined, options);
  expect(await createMessage({ caller: connection }, { ...question, ...more })).toEqual(four);
});

test("a client without sampling is not sent a request", async () => {
  const { connection, recorder } = await joinInMemory(server, undefined);
  const before = recorder.frames.length;
  await expect(createMessage({ caller: connection }, question)).rejects.toMatchObject({
    code: "protocol",
  });
  expect(recorder.frames.length).toBe(before);
});

test.each([
  [undefined],
  [{}],
  [{ ...four, model: 5 }],
  [{ ...four, role: "tool" }],
  [{ ...four, content: "4" }],
])("the answer %j is not a message", async (answer) => {
  const { connection } = await join("2025-11-25", () => answer as never);
  await expect(createMessage({ caller: connection }, question)).rejects.toMatchObject({
    code: "protocol",
  });
});

test.each([
  [undefined, "messages"],
  [{ messages: "x", maxTokens: 1 }, "messages"],
  [{ messages: [{ role: "user" }], maxTokens: 1 }, "messages"],
  [{ messages: [] }, "maxTokens"],
  [{ ...toolLoop, messages: toolLoop.messages.slice(0, 2) }, "Tool result missing in request"],
  [{ ...question, tools: [tool] }, "tools"],
])("a server that asks with %j is refused with -32602", async (params, about) => {
  const handler = vi.fn<SamplingHandler>(() => four);
  const { connection } = await join("2025-11-25", handler);
  await expect(connection.peer.request("sampling/createMessage", params)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(about),
  });
  expect(handler).not.toHaveBeenCalled();
});

const assistant = (...content: NonNullable<CreateMessageParams["messages"][0]["content"]>[]) =>
  ({ role: "assistant", content: content.flat() }) as SamplingMessage;
const user = (...content: NonNullable<CreateMessageParams["messages"][0]["content"]>[]) =>
  ({ role: "user", content: content.flat() }) as SamplingMessage;

test.each([
  [[send("a"), assistant(use), user(result)], undefined],
  [[send("a"), assistant(text("b"), use), user(result), assistant(text("c"))], undefined],
  [[assistant(use), user(result, text("x"))], "Tool results mixed with other content"],
  [[assistant(use), assistant(result)], "Tool results mixed with other content"],
  [[assistant(use), send("no")], 'Tool result missing in request: "u1"'],
  [[assistant(use, { ...use, id: "u2" }), user(result)], 'Tool result missing in request: "u2"'],
  [[user(result)], 'No tool use has the id "u1"'],
  [[], undefined],
])("the messages %j have the fault: %s", (messages, fault) => {
  expect(findMessagesFault(messages)).toBe(fault);
});
