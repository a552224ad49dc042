import * as v from "valibot";
import { expect, test, vi } from "vitest";
import type { Params, RawMessage } from "../../../rpc/message.ts";
import { modernMeta, openModern } from "../../../testing/modern-fixture.ts";
import { McpServer } from "../server.ts";
import type { ServerCall } from "../server-call.ts";

const form = v.object({ name: v.string() });
const able = { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} };
const accept = (name: string) => ({ action: "accept", content: { name } });
const login = { message: "m", url: "https://x.test/" };

type Run = (call: ServerCall<undefined>) => Promise<unknown>;

function open(run: Run, connect = {}) {
  const text = async (call: ServerCall<undefined>) => JSON.stringify(await run(call));
  const errors: Error[] = [];
  const onerror = (error: Error) => void errors.push(error);
  const server = new McpServer<undefined>({ name: "s", version: "1", onerror });
  const input = v.object({ n: v.exactOptional(v.number()) });
  server.tool("t", { input }, (_, call) => text(call));
  server.resource("x:r", { name: "r" }, (_, call) => text(call));
  server.prompt("p", {}, (_, call) => text(call));
  const fixture = openModern(server, connect);
  const callTool = (more: Params = {}, capabilities: Params = able) =>
    fixture.call("tools/call", { name: "t", ...more }, capabilities);
  return { ...fixture, errors, server, callTool };
}

interface InputRequired {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { method: string; params?: Params }>>;
  readonly requestState: string;
}

const inputRequired = ({ result }: RawMessage) => result as InputRequired;
const output = ({ result }: RawMessage) =>
  JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? "");

test("a question is the result, and the retry with its answer completes the call", async () => {
  const { callTool } = open((call) => call.ask("Who?", form));
  const first = inputRequired(await callTool());
  expect(first).toMatchObject({
    resultType: "input_required",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s" } },
    inputRequests: {
      "question-1": {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who?",
          requestedSchema: { type: "object", required: ["name"] },
        },
      },
    },
  });
  const { requestState } = first;
  const inputResponses = { "question-1": accept("Ann") };
  const answer = await callTool({ inputResponses, requestState });
  expect(answer.result).toMatchObject({ resultType: "complete" });
  expect(output(answer)).toEqual(accept("Ann"));
});

test.each([
  ["prompts/get", { name: "p" }, "messages"],
  ["resources/read", { uri: "x:r" }, "contents"],
])("%s may ask as well", async (method, params, member) => {
  const { call } = open((each) => each.ask("Who?", form, { key: "user" }));
  const { inputRequests, requestState } = inputRequired(await call(method, params, able));
  expect(Object.keys(inputRequests)).toEqual(["user"]);
  const inputResponses = { user: { action: "decline" } };
  const { result } = await call(method, { ...params, inputResponses, requestState }, able);
  expect(result).toMatchObject({ resultType: "complete", [member]: [expect.anything()] });
});

test("questions of one turn are sent together, and each retains its kind", async () => {
  const { callTool } = open((call) =>
    Promise.all([
      call.ask("Who?", form, { key: "name" }),
      call.askUrl({ message: "Log in", url: "https://x.test/", elicitationId: "e" }),
      call.roots({ key: "roots" }),
      call.sample({ messages: [], maxTokens: 5 }, { key: "model" }),
    ]),
  );
  const { inputRequests, requestState } = inputRequired(await callTool());
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
  expect(output(answer)).toEqual([accept("Ann"), { action: "accept" }, roots, message]);
});

test("a handler runs from the start, with its earlier answers, and cleans up each time", async () => {
  const steps: string[] = [];
  const { callTool } = open(async (call) => {
    steps.push("begin");
    try {
      const first = await call.ask("First?", form);
      steps.push(`first ${JSON.stringify(first)}`);
      const second = await call.ask("Second?", form);
      return [first, second];
    } finally {
      steps.push("end");
    }
  });
  const one = inputRequired(await callTool());
  const two = inputRequired(
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
  expect(output(answer)).toEqual([accept("A"), accept("B")]);
  const first = `first ${JSON.stringify(accept("A"))}`;
  expect(steps).toEqual(["begin", "end", "begin", first, "end", "begin", first, "end"]);
});

test("a handler that swallows the rejection asks anyway, without later effects", async () => {
  const { callTool } = open(async (call) => {
    await call.ask("Who?", form, { key: "first" }).catch(() => undefined);
    await call.ask("Who?", form, { key: "second" }).catch(() => undefined);
    return "swallowed";
  });
  expect(Object.keys(inputRequired(await callTool()).inputRequests)).toEqual(["first"]);
});

test("a question whose promise is not awaited does no harm", async () => {
  const { callTool } = open(async (call) => {
    const one = call.ask("Who?", form);
    const two = call.roots();
    return [await one, await two];
  });
  expect(Object.keys(inputRequired(await callTool()).inputRequests)).toEqual([
    "question-1",
    "question-2",
  ]);
});

test("a value created once is the same in every run", async () => {
  const make = vi.fn(() => Math.random());
  const { callTool } = open(async (call) => {
    const value = await call.once("id", make);
    const again = await call.once("id", make);
    const { action } = await call.ask(`Take ${value}?`, form);
    return [value === again, action, value];
  });
  const { requestState } = inputRequired(await callTool());
  const inputResponses = { "question-1": { action: "decline" } };
  const answer = output(await callTool({ requestState, inputResponses }));
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
])("an answer that is %s is requested again", async (_, inputResponses) => {
  const { callTool } = open((call) => call.ask("Who?", form));
  const { requestState } = inputRequired(await callTool());
  const again = inputRequired(await callTool({ requestState, inputResponses }));
  expect(Object.keys(again.inputRequests)).toEqual(["question-1"]);
  const last = { ...again, inputResponses: { "question-1": accept("Ann") } };
  expect(
    output(
      await callTool({ requestState: last.requestState, inputResponses: last.inputResponses }),
    ),
  ).toEqual(accept("Ann"));
});

test("unsolicited answers are ignored", async () => {
  const { callTool } = open(async (call) => [
    await call.ask("Who?", form),
    await call.ask("Who?", form),
  ]);
  const { requestState } = inputRequired(await callTool());
  const inputResponses = { "question-1": accept("A"), "question-2": accept("guessed"), x: 1 };
  const second = inputRequired(await callTool({ requestState, inputResponses }));
  expect(Object.keys(second.inputRequests)).toEqual(["question-2"]);
});

test.each([
  [
    "elicitation/create",
    { elicitation: { form: {} } },
    (call: ServerCall<undefined>) => call.ask("Who?", form),
  ],
  [
    "elicitation/create",
    { elicitation: { url: {} } },
    (call: ServerCall<undefined>) => call.askUrl(login),
  ],
  ["roots/list", { roots: {} }, (call: ServerCall<undefined>) => call.roots()],
  [
    "sampling/createMessage",
    { sampling: {} },
    (call: ServerCall<undefined>) => call.sample({ messages: [], maxTokens: 1 }),
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
  const ann = open((call) => call.ask("Who?", form), { principal: "ann" });
  const bob = openModern(ann.server, { principal: "bob" });
  const { requestState } = inputRequired(await ann.callTool());
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
  expect(output(await ann.callTool(retry))).toEqual(accept("Ann"));
});

test("a call that is answered at once issues no state, and refuses one", async () => {
  const { callTool } = open(async () => "at once");
  expect((await callTool()).result).not.toHaveProperty("requestState");
  expect((await callTool({ requestState: "x" })).error).toMatchObject({ code: -32_602 });
});

test("progress that was reported in an earlier run is not sent again", async () => {
  const { client } = open(async (call) => {
    call.progress({ progress: 1 });
    call.progress({ progress: 2 });
    await call.ask("Who?", form);
    call.progress({ progress: 3 });
    return "done";
  });
  const progressed = async (id: string, more: object = {}) => {
    const _meta = modernMeta(able, { progressToken: "p" });
    client.request(id, "tools/call", { name: "t", ...more, _meta });
    const messages: RawMessage[] = [];
    while (!messages.some((message) => message.id === id)) messages.push(...(await client.take()));
    const sent = messages.flatMap(({ method, params }) => (method ? [params] : []));
    return { sent, answer: messages.find((message) => message.id === id) ?? {} };
  };
  const first = await progressed("a");
  expect(first.sent).toMatchObject([{ progress: 1 }, { progress: 2 }]);
  const { requestState } = inputRequired(first.answer);
  const inputResponses = { "question-1": accept("Ann") };
  expect((await progressed("b", { requestState, inputResponses })).sent).toMatchObject([
    { progress: 3 },
  ]);
});

test("a handler that changes the question of a key gets an error, as for a bug", async () => {
  let run = 0;
  const { callTool, errors } = open(async (call) => {
    run += 1;
    const first = call.ask(run < 3 ? "First?" : "Other?", form);
    return [await first, await call.ask("Who?", form)].length;
  });
  const one = inputRequired(await callTool());
  const inputResponses = { "question-1": accept("A") };
  const two = inputRequired(await callTool({ requestState: one.requestState, inputResponses }));
  const three = await callTool({ requestState: two.requestState, inputResponses: {} });
  expect(three.error).toMatchObject({ code: -32_603, message: "Internal error" });
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('The question "question-1" is another one'),
  ]);
});

test("a handler that never stops asking is stopped after 16 rounds", async () => {
  let run = 0;
  const { callTool } = open(async (call) => {
    run += 1;
    for (let n = 1; n < 30; n += 1) await call.ask("Who?", form);
    return run;
  });
  let requestState: string | undefined;
  for (let round = 1; round <= 16; round += 1) {
    const inputResponses = { [`question-${round - 1}`]: accept("A") };
    const result = inputRequired(
      await callTool(requestState ? { requestState, inputResponses } : {}),
    );
    expect(result.resultType).toBe("input_required");
    requestState = result.requestState;
  }
  const inputResponses = { "question-16": accept("A") };
  const { error } = await callTool({ ...(requestState && { requestState }), inputResponses });
  expect(error).toMatchObject({ code: -32_603, message: "More than 16 rounds of questions" });
});

test("an error of a handler that asks nothing is its answer", async () => {
  const { callTool, errors } = open(async () => {
    throw new Error("bug");
  });
  expect((await callTool()).result).toMatchObject({ isError: true, content: [{ text: "bug" }] });
  expect(errors.map(({ message }) => message)).toEqual(["bug"]);
});

test("the error for URLs to visit no longer exists", async () => {
  const { callTool, errors } = open(async (call) => {
    throw call.urlsRequired([login]);
  });
  expect((await callTool()).result).toMatchObject({ isError: true });
  expect(errors[0]?.message).toContain("ask by askUrl");
});

test("once computes its value once in the legacy era too", async () => {
  const make = vi.fn(() => 5);
  const { client } = open(async (call) => [await call.once("a", make), await call.once("a", make)]);
  client.request("i", "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  client.request("c", "tools/call", { name: "t" });
  const answers = await client.take();
  expect(output(answers.find(({ id }) => id === "c") ?? {})).toEqual([5, 5]);
  expect(make).toHaveBeenCalledTimes(1);
});
