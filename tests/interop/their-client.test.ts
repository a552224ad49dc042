import { McpServer } from "@idewire/core/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { matrix } from "./matrix.ts";
import type { SdkTransport } from "./sdk-transport.ts";

const login = { message: "Log in", url: "https://x.test/login", elicitationId: "e1" };

function createServer() {
  const server = new McpServer({
    ...{ name: "ours", version: "1", title: "Ours" },
    instructions: "Be kind.",
    pageSize: 3,
  });
  server.resource("file:///a.txt", { name: "a" }, () => "A");
  server.resource("file:///b.png", { name: "b" }, () => new Uint8Array(1));
  const complete = { name: (value: string) => [`${value}!`] };
  server.resource("note://{name}", { name: "note", complete }, ({ name }) => `note ${name}`);
  server.prompt(
    "greet",
    {
      title: "Greet",
      arguments: {
        who: { required: true, complete: (_, { arguments: args }) => Object.values(args) },
      },
    },
    ({ who }) => `Hello ${who}`,
  );
  server.tool(
    "add",
    {
      title: "Add",
      annotations: { readOnlyHint: true },
      input: z.object({ a: z.number(), b: z.number().default(1) }),
      output: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ sum: a + b }),
  );
  server.tool("everything", {}, () => ({
    content: [
      { type: "text", text: "t" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ],
  }));
  server.tool("roots", {}, async (_, call) => JSON.stringify(await call.roots()));
  server.tool("think", {}, async (_, call) => {
    const messages = [{ role: "user", content: { type: "text", text: "2 + 2?" } }] as const;
    return JSON.stringify(await call.sample({ messages, maxTokens: 5 }));
  });
  server.tool("form", {}, async (_, call) => {
    const form = z.object({ name: z.string(), age: z.number().default(3) });
    return JSON.stringify(await call.ask("Who?", form));
  });
  server.tool("visit", {}, async (_, call) => {
    const { action } = await call.askUrl(login);
    call.urlVisited(login.elicitationId);
    return action;
  });
  server.tool("private", {}, (_, call) => {
    throw call.urlsRequired([login]);
  });
  return server;
}

const all = { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } };

describe.each(matrix)("the official client %s", (_, sdk, medium) => {
  const open: SdkTransport[] = [];
  afterEach(async () => {
    for (const transport of open.splice(0)) await transport.close();
  });

  async function connect(capabilities: object = all) {
    const server = createServer();
    const { ours, theirs } = await medium.toTheirClient(sdk);
    server.connect(ours);
    const client = sdk.createClient(capabilities);
    open.push(theirs);
    return { server, client, connected: () => client.connect(theirs as never) };
  }

  async function ready(capabilities?: object) {
    const fixture = await connect(capabilities);
    await fixture.connected();
    return fixture;
  }

  test("receives our name, version and capabilities", async () => {
    const { client } = await ready();
    expect(client.getServerVersion()).toMatchObject({ name: "ours", title: "Ours" });
    expect(client.getInstructions()).toBe("Be kind.");
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    });
  });

  test("lists our tools page by page, and calls them", async () => {
    const { client } = await ready();
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listTools({ cursor });
      names.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
    } while (cursor !== undefined && names.length < 20);
    expect([...new Set(names)]).toEqual([
      "add",
      "everything",
      "roots",
      "think",
      "form",
      "visit",
      "private",
    ]);
    expect(await client.callTool({ name: "add", arguments: { a: 2 } })).toMatchObject({
      structuredContent: { sum: 3 },
      content: [{ type: "text", text: '{"sum":3}' }],
    });
    expect(await client.callTool({ name: "add", arguments: { a: "x" } })).toMatchObject({
      isError: true,
    });
    const { content } = await client.callTool({ name: "everything", arguments: {} });
    expect((content as { type: string }[]).map(({ type }) => type)).toEqual([
      "text",
      "image",
      "audio",
      "resource",
      "resource_link",
    ]);
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
    });
  });

  test("lists, reads and watches our resources", async () => {
    const { client, server } = await ready();
    const first = await client.listResources({});
    expect(first.resources[0]).toMatchObject({ uri: "file:///a.txt" });
    const templates = await client.listResourceTemplates();
    expect(templates.resourceTemplates).toMatchObject([{ uriTemplate: "note://{name}" }]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read("file:///b.png")).toEqual([{ uri: "file:///b.png", blob: "AA==" }]);
    expect(await read("note://x%20y")).toEqual([{ uri: "note://x%20y", text: "note x y" }]);
    await expect(read("file:///none")).rejects.toThrow('Resource not found: "file:///none"');
    const updated = vi.fn();
    sdk.listen(client, "notifications/resources/updated", ({ params }) => updated(params));
    await client.subscribeResource({ uri: "file:///a.txt" });
    server.resourceUpdated("file:///a.txt");
    server.resourceUpdated("file:///b.png");
    await client.ping();
    await vi.waitFor(
      () => expect(updated.mock.calls).toEqual([[{ uri: "file:///a.txt" }]]),
      20_000,
    );
    await client.unsubscribeResource({ uri: "file:///a.txt" });
  });

  test("gets our prompts and completions", async () => {
    const { client } = await ready();
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: "greet", title: "Greet" }]);
    expect(await client.getPrompt({ name: "greet", arguments: { who: "Ann" } })).toMatchObject({
      messages: [{ role: "user", content: { type: "text", text: "Hello Ann" } }],
    });
    await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: -32_602 });
    const { completion: found } = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "who", value: "" },
      context: { arguments: { other: "Bob" } },
    });
    expect(found.values).toEqual(["Bob"]);
    const ofTemplate = await client.complete({
      ref: { type: "ref/resource", uri: "note://{name}" },
      argument: { name: "name", value: "a" },
    });
    expect(ofTemplate.completion.values).toEqual(["a!"]);
  });

  test("receives our log from the level that it sets", async () => {
    const { client, server } = await ready();
    const received = vi.fn();
    sdk.listen(client, "notifications/message", ({ params }) => received(params));
    await client.setLoggingLevel("error");
    server.log("info", "no");
    server.log("critical", { n: 1 }, "main");
    await vi.waitFor(
      () =>
        expect(received.mock.calls).toEqual([
          [{ level: "critical", data: { n: 1 }, logger: "main" }],
        ]),
      20_000,
    );
  });

  test("is asked for roots, its model, a form and a URL", async () => {
    const { client, connected } = await connect();
    sdk.listen(client, "roots/list", () => ({ roots: [{ uri: "file:///vault" }] }));
    sdk.listen(client, "sampling/createMessage", () => ({
      role: "assistant",
      content: { type: "text", text: "4" },
      model: "small",
    }));
    sdk.listen(client, "elicitation/create", ({ params }) =>
      (params as { mode?: string }).mode === "url"
        ? { action: "accept" }
        : { action: "accept", content: { name: "Ann" } },
    );
    await connected();
    const call = async (name: string) => {
      const { content } = await client.callTool({ name, arguments: {} });
      return (content as { text: string }[])[0]?.text;
    };
    expect(await call("roots")).toBe('[{"uri":"file:///vault"}]');
    expect(JSON.parse((await call("think")) ?? "")).toMatchObject({ model: "small" });
    expect(await call("form")).toBe('{"action":"accept","content":{"name":"Ann","age":3}}');
    expect(await call("visit")).toBe("accept");
    await expect(call("private")).rejects.toMatchObject({
      code: -32_042,
      data: { elicitations: [{ mode: "url", elicitationId: "e1" }] },
    });
  });

  test("is sent no request that it has not announced", async () => {
    const { client } = await ready({});
    for (const name of ["roots", "think", "form", "visit", "private"]) {
      expect(await client.callTool({ name, arguments: {} })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("requires a client with") }],
      });
    }
  });
});
