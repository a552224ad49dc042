import {
  elicitation,
  McpClient,
  type McpClientOptions,
  Roots,
  sampling,
} from "@idewire/core/client";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import type { LogMessage } from "@idewire/core/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { matrix } from "./matrix.ts";
import type { Sdk } from "./sdks.ts";

type SdkServer = ReturnType<Sdk["createServer"]>;

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

function createServer(sdk: Sdk): SdkServer {
  const server = sdk.createServer({ logging: {} });
  server.registerTool(
    "add",
    {
      title: "Add",
      inputSchema: z.object({ a: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a }) => ({ ...text(""), structuredContent: { sum: a + 1 } }),
  );
  const asking = (name: string, run: () => Promise<unknown>) =>
    server.registerTool(name, {}, async () => text(JSON.stringify(await run())));
  asking("roots", () => server.server.listRoots());
  asking("think", () =>
    server.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: "2 + 2?" } }],
      maxTokens: 5,
    }),
  );
  asking("form", () =>
    server.server.elicitInput({
      mode: "form",
      message: "Who?",
      requestedSchema: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer", default: 3 } },
        required: ["name"],
      },
    }),
  );
  asking("visit", async () => {
    const url = {
      mode: "url",
      message: "Go",
      url: "https://x.test/",
      elicitationId: "e1",
    } as const;
    const answer = await server.server.elicitInput(url);
    await server.server.createElicitationCompletionNotifier("e1")();
    return answer;
  });
  server.registerResource("a", "file:///a.txt", { title: "A" }, async (uri) => ({
    contents: [{ uri: uri.href, text: "A" }],
  }));
  const template = new sdk.ResourceTemplate("note://{name}", {
    list: undefined,
    complete: { name: (value) => [`${value}!`] },
  });
  server.registerResource("note", template, {}, async (uri, { name }) => ({
    contents: [{ uri: uri.href, text: `note ${name}` }],
  }));
  const who = sdk.completable(z.string(), (value) => [`${value}nn`]);
  server.registerPrompt("greet", { argsSchema: { who } as never }, ((args: { who: string }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Hello ${args.who}` } }],
  })) as never);
  return server;
}

describe.each(matrix)("the official server %s", (_, sdk, medium) => {
  const open: McpClient[] = [];
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });

  async function connect(options: Partial<McpClientOptions> = {}) {
    const server = createServer(sdk);
    const { ours, theirs } = await medium.toTheirServer(sdk);
    await server.connect(theirs as never);
    const client = await McpClient.connect(ours, {
      name: "ours",
      version: "1",
      era: "legacy",
      ...options,
    });
    open.push(client);
    return { server, client };
  }

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const)(
    "speaks %s with us",
    async (protocolVersion) => {
      const { client } = await connect({ protocolVersion });
      expect(client.server.protocolVersion).toBe(protocolVersion);
      expect((await client.listTools()).map(({ name }) => name)).toContain("add");
      expect(await client.callTool("add", { a: 1 })).toMatchObject({ content: [{ type: "text" }] });
    },
  );

  test("gives structured output to our client", async () => {
    const { client } = await connect();
    const [add] = await client.listTools();
    expect(add).toMatchObject({ name: "add", title: "Add", outputSchema: { type: "object" } });
    expect(await client.callTool("add", { a: 1 })).toMatchObject({ structuredContent: { sum: 2 } });
  });

  test("gives resources, prompts and completions to our client", async () => {
    const { client } = await connect();
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(["file:///a.txt"]);
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: "note://{name}" }]);
    expect(await client.readResource("note://x")).toEqual([{ uri: "note://x", text: "note x" }]);
    await expect(client.readResource("file:///none")).rejects.toMatchObject({ name: "RpcError" });
    expect(await client.listPrompts()).toMatchObject([{ name: "greet" }]);
    expect(await client.getPrompt("greet", { who: "Ann" })).toMatchObject({
      messages: [{ content: { text: "Hello Ann" } }],
    });
    const ofPrompt = { reference: { type: "ref/prompt", name: "greet" }, argument: "who" } as const;
    expect(await client.complete({ ...ofPrompt, value: "A" })).toMatchObject({ values: ["Ann"] });
    const reference = { type: "ref/resource", uri: "note://{name}" } as const;
    expect(await client.complete({ reference, argument: "name", value: "a" })).toMatchObject({
      values: ["a!"],
    });
  });

  test("sends our client its log, from the level that it sets", async () => {
    const { client, server } = await connect();
    const received: LogMessage[] = [];
    client.onLogMessage((message) => void received.push(message));
    await client.setLogLevel("error");
    await server.server.sendLoggingMessage({ level: "error", data: "yes", logger: "x" });
    await vi.waitFor(
      () => expect(received).toEqual([{ level: "error", data: "yes", logger: "x" }]),
      20_000,
    );
  });

  test("asks our client for roots, its model, a form and a URL", async () => {
    const done = vi.fn();
    const { client } = await connect({
      features: [
        new Roots(() => [{ uri: "file:///vault" }]),
        sampling(() => ({
          role: "assistant",
          content: { type: "text", text: "4" },
          model: "small",
        })),
        elicitation({
          validator: jsonSchemaValidator,
          form: () => ({ action: "accept", content: { name: "Ann" } }),
          url: ({ elicitationId }, __, session) => {
            session.onElicitationComplete(elicitationId ?? "", done);
            return { action: "accept" };
          },
        }),
      ],
    });
    const call = async (name: string): Promise<unknown> => {
      const [item] = (await client.callTool(name)).content;
      return JSON.parse(item?.type === "text" ? item.text : "");
    };
    expect(await call("roots")).toEqual({ roots: [{ uri: "file:///vault" }] });
    expect(await call("think")).toMatchObject({ model: "small", content: { text: "4" } });
    expect(await call("form")).toEqual({ action: "accept", content: { name: "Ann", age: 3 } });
    expect(await call("visit")).toEqual({ action: "accept" });
    expect(done).toHaveBeenCalledTimes(1);
  });
});
