import * as v from "valibot";
import { expect, test, vi } from "vitest";
import type { Call } from "../../../rpc/call.ts";
import type { Params, RawMessage } from "../../../rpc/message.ts";
import { openModern } from "../../../testing/modern-fixture.ts";
import { textResult } from "../../content.ts";
import { valibotInput } from "../../schemas/tool-input.ts";
import { elicit, elicitUrl, urlElicitationRequired } from "../client-features/elicitation.ts";
import { listRoots } from "../client-features/roots.ts";
import { createMessage } from "../client-features/sampling.ts";
import { Prompts } from "../features/prompts.ts";
import { Resources } from "../features/resources.ts";
import { once } from "../once.ts";
import { McpServer } from "../server.ts";
import { defineTool } from "../tool.ts";
import { modernEra } from "./modern-era.ts";
import { sealedRequestState } from "./rounds.ts";

const form = valibotInput(v.object({ name: v.string() }));
const who = { message: "Who?", form };
const able = { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} };
const accept = (name: string) => ({ action: "accept", content: { name } });

const asking = modernEra({ requestState: sealedRequestState() });

function open(run: (call: Call) => Promise<unknown>, connect = {}, modern = asking) {
  const text = async (call: Call) => JSON.stringify(await run(call));
  const server = new McpServer<undefined>({
    info: { name: "s", version: "1" },
    eras: { modern },
    tools: [
      defineTool<object, undefined>({
        name: "t",
        input: valibotInput(v.object({ n: v.exactOptional(v.number()) })),
        run: async (_, __, call) => textResult(await text(call)),
      }),
    ],
    features: [
      new Resources({
        resources: [
          {
            uri: "x:r",
            name: "r",
            read: async (uri, _, call) => ({ uri, text: await text(call) }),
          },
        ],
      }),
      new Prompts({
        prompts: [
          {
            name: "p",
            get: async (_, __, call) => ({
              messages: [{ role: "user", content: { type: "text", text: await text(call) } }],
            }),
          },
        ],
      }),
    ],
  });
  const fixture = openModern(server, connect);
  const callTool = (more: Params = {}, capabilities: Params = able) =>
    fixture.call("tools/call", { name: "t", ...more }, capabilities);
  return { ...fixture, server, callTool };
}

interface Asked {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { method: string; params?: Params }>>;
  readonly requestState: string;
}

const asked = ({ result }: RawMessage) => result as Asked;
const said = ({ result }: RawMessage) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "");

test("a question is the result, and the retry with its answer is answered", async () => {
  const { callTool } = open((call) => elicit(call, who));
  const first = asked(await callTool());
  expect(first).toMatchObject({
    resultType: "input_required",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s" } },
    inputRequests: {
      "question-1": {
        method: "elicitation/create",
        params: { mode: "form", message: "Who?", requestedSchema: form.jsonSchema },
      },
    },
  });
  const { requestState } = first;
  const inputResponses = { "question-1": accept("Ann") };
  const answer = await callTool({ inputResponses, requestState });
  expect(answer.result).toMatchObject({ resultType: "complete" });
  expect(said(answer)).toEqual(accept("Ann"));
});

test.each([
  ["prompts/get", { name: "p" }, "messages"],
  ["resources/read", { uri: "x:r" }, "contents"],
])("%s may ask as well", async (method, params, member) => {
  const { call } = open((each) => elicit(each, who, { key: "user" }));
  const { inputRequests, requestState } = asked(await call(method, params, able));
  expect(Object.keys(inputRequests)).toEqual(["user"]);
  const inputResponses = { user: { action: "decline" } };
  const { result } = await call(method, { ...params, inputResponses, requestState }, able);
  expect(result).toMatchObject({ resultType: "complete", [member]: [expect.anything()] });
});

test("questions of one turn leave together, and each kind keeps its shape", async () => {
  const { callTool } = open((call) =>
    Promise.all([
      elicit(call, who, { key: "name" }),
      elicitUrl(call, { message: "Log in", url: "https://x.test/", elicitationId: "e" }),
      listRoots(call, { key: "roots" }),
      createMessage(call, { messages: [], maxTokens: 5 }, { key: "model" }),
    ]),
  );
  const { inputRequests, requestState } = asked(await callTool());
  expect(inputRequests).toMatchObject({
    name: { method: "elicitation/create" },
    roots: { method: "roots/list" },
    model: { method: "sampling/createMessage", params: { maxTokens: 5 } },
  });
  expect(inputRequests["question-2"]?.params).toEqual({
    mode: "url",
    message: "Log in",
    url: "https://x.test/",
  });
  const message = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" };
  const roots = [{ uri: "file:///w" }];
  const inputResponses = {
    name: accept("Ann"),
    "question-2": { action: "accept" },
    roots: { roots },
    model: message,
  };
  const answer = await callTool({ inputResponses, requestState });
  expect(said(answer)).toEqual([accept("Ann"), { action: "accept" }, roots, message]);
});

test("a handler runs from the start, with its earlier answers, and cleans up each time", async () => {
  const steps: string[] = [];
  const { callTool } = open(async (call) => {
    steps.push("begin");
    try {
      const first = await elicit(call, { ...who, message: "First?" });
      steps.push(`first ${JSON.stringify(first)}`);
      const second = await elicit(call, { ...who, message: "Second?" });
      return [first, second];
    } finally {
      steps.push("end");
    }
  });
  const one = asked(await callTool());
  const two = asked(
    await callTool({
      requestState: one.requestState,
      inputResponses: { "question-1": accept("A") },
    }),
  );
  expect(Object.keys(two.inputRequests)).toEqual(["question-2"]);
  const answer = await callTool({
    requestState: two.requestState,
    inputResponses: { "question-2": accept("B") },
  });
  expect(said(answer)).toEqual([accept("A"), accept("B")]);
  const first = `first ${JSON.stringify(accept("A"))}`;
  expect(steps).toEqual(["begin", "end", "begin", first, "end", "begin", first, "end"]);
});

test("a handler that swallows the rejection asks all the same, and nothing that follows from it", async () => {
  const { callTool } = open(async (call) => {
    await elicit(call, who, { key: "first" }).catch(() => undefined);
    await elicit(call, who, { key: "second" }).catch(() => undefined);
    return "swallowed";
  });
  expect(Object.keys(asked(await callTool()).inputRequests)).toEqual(["first"]);
});

test("a question whose promise is left alone harms nobody", async () => {
  const { callTool } = open(async (call) => {
    const one = elicit(call, who);
    const two = listRoots(call);
    return [await one, await two];
  });
  expect(Object.keys(asked(await callTool()).inputRequests)).toEqual(["question-1", "question-2"]);
});

test("a value made once is the same in every run", async () => {
  const make = vi.fn(() => Math.random());
  const { callTool } = open(async (call) => {
    const value = await once(call, "id", make);
    const again = await once(call, "id", make);
    const { action } = await elicit(call, { ...who, message: `Take ${value}?` });
    return [value === again, action, value];
  });
  const { requestState } = asked(await callTool());
  const inputResponses = { "question-1": { action: "decline" } };
  const answer = said(await callTool({ requestState, inputResponses }));
  expect(answer).toEqual([true, "decline", make.mock.results[0]?.value]);
  expect(make).toHaveBeenCalledTimes(1);
});

test.each([
  ["missing", {}],
  ["of another shape", { "question-1": { action: "yes" } }],
  ["not what the form wants", { "question-1": { action: "accept", content: { name: 5 } } }],
  ["under another key", { other: accept("Ann") }],
  ["no object", 5],
  ["a prototype's", JSON.parse('{"__proto__":{"question-1":{"action":"decline"}}}')],
])("an answer that is %s is asked for again", async (_, inputResponses) => {
  const { callTool } = open((call) => elicit(call, who));
  const { requestState } = asked(await callTool());
  const again = asked(await callTool({ requestState, inputResponses }));
  expect(Object.keys(again.inputRequests)).toEqual(["question-1"]);
  const last = { ...again, inputResponses: { "question-1": accept("Ann") } };
  expect(
    said(await callTool({ requestState: last.requestState, inputResponses: last.inputResponses })),
  ).toEqual(accept("Ann"));
});

test("answers to what was not asked are ignored", async () => {
  const { callTool } = open(async (call) => [await elicit(call, who), await elicit(call, who)]);
  const { requestState } = asked(await callTool());
  const inputResponses = { "question-1": accept("A"), "question-2": accept("guessed"), x: 1 };
  const second = asked(await callTool({ requestState, inputResponses }));
  expect(Object.keys(second.inputRequests)).toEqual(["question-2"]);
});

test.each([
  ["elicitation/create", { elicitation: { form: {} } }, (call: Call) => elicit(call, who)],
  [
    "elicitation/create",
    { elicitation: { url: {} } },
    (call: Call) => elicitUrl(call, { message: "m", url: "https://x.test/" }),
  ],
  ["roots/list", { roots: {} }, (call: Call) => listRoots(call)],
  [
    "sampling/createMessage",
    { sampling: {} },
    (call: Call) => createMessage(call, { messages: [], maxTokens: 1 }),
  ],
])("%s of a client without %j is -32021", async (method, requiredCapabilities, ask) => {
  const { callTool } = open(ask);
  expect((await callTool({}, {})).error).toMatchObject({
    code: -32_021,
    message: expect.stringContaining(method),
    data: { requiredCapabilities },
  });
});

test("the state of one request does not serve another, or another principal", async () => {
  const ann = open((call) => elicit(call, who), { principal: "ann" });
  const bob = openModern(ann.server, { principal: "bob" });
  const { requestState } = asked(await ann.callTool());
  const inputResponses = { "question-1": accept("Ann") };
  const retry = { name: "t", inputResponses, requestState };
  const refused = { code: -32_602, message: expect.stringContaining("requestState") };
  expect((await bob.call("tools/call", retry, able)).error).toMatchObject(refused);
  const other = { inputResponses, requestState, arguments: { n: 1 } };
  expect((await ann.callTool(other)).error).toMatchObject(refused);
  for (const bad of ["", "x", 5, null, `${requestState}A`]) {
    expect((await ann.callTool({ inputResponses, requestState: bad })).error).toMatchObject(
      refused,
    );
  }
  expect(said(await ann.callTool(retry))).toEqual(accept("Ann"));
});

test("without requestState a question is refused in words for the author, and so is every state", async () => {
  const { callTool, errors } = open((call) => elicit(call, who), {}, modernEra());
  expect((await callTool()).error).toMatchObject({ code: -32_603 });
  const message = expect.stringContaining("of a server whose modern era has requestState");
  expect(errors).toMatchObject([{ code: "unreachable", message }]);
  expect((await callTool({ requestState: "x" })).error).toMatchObject({ code: -32_602 });
  expect(errors).toHaveLength(1);
});

test("without requestState a value is still made once for a call", async () => {
  const make = vi.fn(() => 1);
  const twice = async (call: Call) => [await once(call, "k", make), await once(call, "k", make)];
  expect(said(await open(twice, {}, modernEra()).callTool())).toEqual([1, 1]);
  expect(make).toHaveBeenCalledTimes(1);
});

test("a handler that asks something else under a known key is told so as a bug", async () => {
  let run = 0;
  const { callTool, errors } = open(async (call) => {
    run += 1;
    const first = elicit(call, { ...who, message: run < 3 ? "First?" : "Other?" });
    return [await first, await elicit(call, who)].length;
  });
  const one = asked(await callTool());
  const inputResponses = { "question-1": accept("A") };
  const two = asked(await callTool({ requestState: one.requestState, inputResponses }));
  const three = await callTool({ requestState: two.requestState, inputResponses: {} });
  expect(three.error).toMatchObject({ code: -32_603, message: "Internal error" });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('The question "question-1" is another one'),
  ]);
});

test("a handler that asks for ever is stopped after 16 rounds", async () => {
  let run = 0;
  const { callTool } = open(async (call) => {
    run += 1;
    for (let n = 1; n < 30; n += 1) await elicit(call, who);
    return run;
  });
  let requestState: string | undefined;
  for (let round = 1; round <= 16; round += 1) {
    const inputResponses = { [`question-${round - 1}`]: accept("A") };
    const result = asked(await callTool(requestState ? { requestState, inputResponses } : {}));
    expect(result.resultType).toBe("input_required");
    requestState = result.requestState;
  }
  const inputResponses = { "question-16": accept("A") };
  const { error } = await callTool({ ...(requestState && { requestState }), inputResponses });
  expect(error).toMatchObject({ code: -32_603, message: "More than 16 rounds of questions" });
});

test("an error of the handler is its answer where nothing was asked", async () => {
  const { callTool, errors } = open(async () => {
    throw new Error("bug");
  });
  expect((await callTool()).error).toMatchObject({ code: -32_603 });
  expect(errors.map(({ message }) => message)).toEqual(["bug"]);
});

test("there is no error for URLs to visit any more", async () => {
  const { callTool, errors } = open(async (call) => {
    throw urlElicitationRequired(call, [{ message: "m", url: "https://x.test/" }]);
  });
  expect((await callTool()).error).toMatchObject({ code: -32_603 });
  expect(errors[0]?.message).toContain("ask by elicitUrl");
});

test("once makes its value once in the legacy era too", async () => {
  const make = vi.fn(() => 5);
  const { client } = open(async (call) => [
    await once(call, "a", make),
    await once(call, "a", make),
  ]);
  client.request("i", "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  client.request("c", "tools/call", { name: "t" });
  const answers = await client.take();
  expect(said(answers.find(({ id }) => id === "c") ?? {})).toEqual([5, 5]);
  expect(make).toHaveBeenCalledTimes(1);
});
