import { McpServer, memoryStore } from "@idewire/core/server";
import { createMcpHandler } from "@idewire/http";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import { calling, getting, posting, request } from "../src/http-client.ts";
import { sseReader } from "../src/sse-reader.ts";

// HTTP+SSE (MCP 2024-11-05) with the stream at one instance, and a POST at another.

interface Token {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Two instances that share a store, and the records of their tools. */
function openTwo() {
  const store = memoryStore();
  const noticed: string[] = [];
  const openOne = (instance: string) => {
    const server = new McpServer<Token>({ name: "s", version: "1", store });
    server.tool("who", {}, async (_, { context }) => `${context.name} at ${instance}`);
    server.tool("danger", { scopes: ["danger"] }, () => "done");
    server.tool("ask", {}, async (_, call) => {
      const { action } = await call.ask("Who?", v.object({ name: v.string() }));
      return `${action} at ${instance}`;
    });
    server.tool("hang", {}, (_, { signal }) => {
      noticed.push("begun");
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          noticed.push(`aborted at ${instance}`);
          reject(signal.reason as Error);
        });
      });
    });
    server.tool("large", {}, (_, call) => {
      for (let n = 0; n < 20; n += 1) call.log("info", "x".repeat(100_000));
      return "y".repeat(3_000_000);
    });
    const handler = createMcpHandler(server, {
      ssePath: "/sse",
      authorize: (head) => {
        const [name = "", ...scopes] = (head.header("x-token") ?? "").split(" ");
        return { context: { name, scopes }, principal: "ann", scopes };
      },
    });
    onTestFinished(() => handler.close());
    const send = (path: string, init: RequestInit) =>
      handler.fetch(new Request(new URL(path, "http://127.0.0.1:3000"), init));
    return { send, server, close: () => handler.close() };
  };
  return { one: openOne("one"), two: openOne("two"), noticed };
}

type Instances = ReturnType<typeof openTwo>;

/** Opens a stream at the first instance, and initializes the session by way of the second. */
async function connect({ one, two }: Instances, capabilities = {}, protocolVersion = "2025-06-18") {
  const cut = new AbortController();
  onTestFinished(() => cut.abort());
  const response = await one.send("/sse", getting({ "x-token": "stream" }, cut.signal));
  const read = sseReader(response);
  const [, address] = await read();
  const post = async (at: Instances["one"], message: unknown, token = "post") =>
    (await at.send(address, posting(message, { "x-token": token }))).status;
  const next = async () => JSON.parse((await read())[1]);
  const clientInfo = { name: "c", version: "1" };
  await post(two, request(0, "initialize", { protocolVersion, capabilities, clientInfo }));
  expect(await next()).toMatchObject({ id: 0, result: { protocolVersion } });
  await post(two, { jsonrpc: "2.0", method: "notifications/initialized" });
  return { post, next, read, leave: () => cut.abort() };
}

const textOf = ({
  result,
}: {
  readonly result: { readonly content: readonly { text: string }[] };
}) => result.content[0]?.text;

test("a call runs at the instance that authorized its POST, with the rights of that alone", async () => {
  const instances = openTwo();
  const { post, next } = await connect(instances);
  expect(await post(instances.two, calling(1, "who"), "few")).toBe(202);
  expect(textOf(await next())).toBe("few at two");
  expect(await post(instances.one, calling(2, "who"), "other")).toBe(202);
  expect(textOf(await next())).toBe("other at one");
  await post(instances.two, calling(3, "danger"), "few");
  expect(await next()).toMatchObject({ id: 3, error: {} });
  await post(instances.two, calling(4, "danger"), "few danger");
  expect(textOf(await next())).toBe("done");
});

test("a question of a call is answered, and a call cancelled, by way of any instance", async () => {
  const instances = openTwo();
  const { one, two, noticed } = instances;
  const { post, next } = await connect(instances, { elicitation: {} });
  for (const [runs, answers] of [
    [two, one],
    [one, two],
    [two, two],
  ] as const) {
    await post(runs, calling(1, "ask"));
    const { id, method } = await next();
    expect(method).toBe("elicitation/create");
    expect(await post(answers, { jsonrpc: "2.0", id, result: { action: "decline" } })).toBe(202);
    expect(textOf(await next())).toBe(`decline at ${runs === one ? "one" : "two"}`);
  }
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
  for (const [runs, cancels] of [
    [two, one],
    [one, two],
  ] as const) {
    noticed.length = 0;
    await post(runs, calling(5, "hang"));
    await post(cancels, cancel);
    const where = runs === one ? "one" : "two";
    await expect.poll(() => noticed).toEqual(["begun", `aborted at ${where}`]);
  }
});

test("a setting of one request applies to the next at another instance", async () => {
  const instances = openTwo();
  const { one, two } = instances;
  const { post, next } = await connect(instances);
  await post(two, request(1, "logging/setLevel", { level: "error" }));
  expect(await next()).toMatchObject({ id: 1, result: {} });
  await post(one, calling(2, "large"));
  expect(await next()).toMatchObject({ id: 2 });
  await post(one, request(3, "logging/setLevel", { level: "debug" }));
  expect(await next()).toMatchObject({ id: 3, result: {} });
  await post(two, calling(4, "large"));
  // Far more than the store retains of a stream.
  for (let n = 0; n < 20; n += 1) {
    expect(await next()).toMatchObject({ method: "notifications/message" });
  }
  expect(textOf(await next())).toHaveLength(3_000_000);
});

test("a batch is split: answers go where they are awaited, the rest runs where it arrives", async () => {
  const instances = openTwo();
  const { one, two } = instances;
  const { post, next } = await connect(instances, {}, "2025-03-26");
  await post(two, [calling(1, "who"), calling(2, "who")]);
  const texts = ((await next()) as Parameters<typeof textOf>[0][]).map(textOf);
  expect(texts).toEqual(["post at two", "post at two"]);
  await post(one, calling(3, "hang"));
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } };
  await post(two, [cancel, calling(4, "who")]);
  expect(((await next()) as Parameters<typeof textOf>[0][]).map(textOf)).toEqual(["post at two"]);
  await expect.poll(() => instances.noticed).toEqual(["begun", "aborted at one"]);
});

test("calls at other instances end with the stream, and the session is unknown from then on", async () => {
  const instances = openTwo();
  const { post, leave } = await connect(instances);
  await post(instances.two, calling(1, "hang"));
  leave();
  await expect.poll(() => instances.noticed).toEqual(["begun", "aborted at two"]);
  await expect.poll(() => post(instances.two, calling(2, "who"))).toBe(404);
});

test("a call whose instance ends is answered by that of the stream", async () => {
  const instances = openTwo();
  const { post, next } = await connect(instances);
  await post(instances.two, calling(1, "hang"));
  instances.two.close();
  expect(await next()).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining("has ended") },
  });
  await post(instances.one, calling(2, "who"));
  expect(textOf(await next())).toBe("post at one");
});
