import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Sdk, sdks } from "./sdks.ts";

const form = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
} as const;
const watched = "note://watched";

/** @param seen resolves when the notifications of a call have arrived: some servers drop them after the answer */
function createServer(seen: Promise<void>) {
  const server = new McpServer({ name: "ours", version: "1.0.0" });
  server.resource(watched, { name: "watched" }, () => "as it is");
  const who = { complete: (value: string) => [`${value}nn`] };
  server.prompt("greet", { arguments: { who } }, () => []);
  server.tool("count", {}, async (_, call) => {
    call.log("warning", "counting");
    for (const progress of [1, 2]) call.progress({ progress, total: 2 });
    await seen;
    return "counted";
  });
  server.tool("ask", {}, async (_, call) => {
    const messages = [{ role: "user", content: { type: "text", text: "?" } }] as const;
    const [person, model, roots] = await Promise.all([
      call.ask("Who?", form),
      call.sample({ messages, maxTokens: 9 }),
      call.roots(),
    ]);
    return JSON.stringify([person, model.model, roots]);
  });
  return server;
}

type Client = ReturnType<Sdk["createClient"]>;

/** A client of the official SDK that connects in one way. */
interface Way {
  readonly name: string;
  readonly isModern: boolean;
  readonly sdk: Sdk | undefined;
  createClient(capabilities: object): Client;
  connect(client: Client, url: URL): Promise<void>;
  callTool(client: Client, params: { readonly name: string }, options: object): Promise<object>;
}

const [sdk1, sdk2] = sdks;
const info = { name: "official", version: "1.0.0" };

function second(mode: VersionNegotiationMode, isModern: boolean): Way {
  return {
    name: `2.4, ${typeof mode === "string" ? mode : `pinned to ${mode.pin}`}`,
    isModern,
    sdk: sdk2,
    createClient: (capabilities) =>
      new ClientV2(info, { capabilities, versionNegotiation: { mode } }) as unknown as Client,
    connect: (client, url) => (client as unknown as ClientV2).connect(new HttpV2(url)),
    callTool: (client, params, options) =>
      (client as unknown as ClientV2).callTool(params, options),
  };
}

const first = (name: string, transport: (url: URL) => object): Way => ({
  name,
  isModern: false,
  sdk: sdk1,
  createClient: (capabilities) => sdk1?.createClient(capabilities) as Client,
  connect: (client, url) => client.connect(transport(url) as Parameters<Client["connect"]>[0]),
  callTool: (client, params, options) => client.callTool(params, undefined, options),
});

const ways: readonly Way[] = [
  first("1.32", (url) => new HttpV1(url)),
  first("1.32 over HTTP+SSE", (url) => new SSEClientTransport(new URL("/sse", url))),
  second("legacy", false),
  second("auto", true),
  second({ pin: "2026-07-28" }, true),
];

const textOf = (result: object) =>
  (result as { readonly content: readonly { readonly text: string }[] }).content[0]?.text;

describe.each(ways)("the client of the official SDK $name", (way) => {
  async function open() {
    let finish = () => {};
    const server = createServer(
      new Promise((resolve) => {
        finish = resolve;
      }),
    );
    const listener = await listenMcp(server, { access: "anyone", ssePath: "/sse" });
    onTestFinished(() => listener.close());
    const client = way.createClient({ elicitation: {}, sampling: {}, roots: {} });
    onTestFinished(() => client.close());
    const received: string[] = [];
    way.sdk?.listen(client, "elicitation/create", () => ({
      action: "accept",
      content: { name: "Ann" },
    }));
    way.sdk?.listen(client, "sampling/createMessage", () => ({
      role: "assistant",
      content: { type: "text", text: "!" },
      model: "theirs",
    }));
    way.sdk?.listen(client, "roots/list", () => ({ roots: [{ uri: "file:///root" }] }));
    way.sdk?.listen(client, "notifications/message", ({ params }) => {
      received.push((params as { readonly data: string }).data);
    });
    way.sdk?.listen(client, "notifications/resources/updated", ({ params }) => {
      received.push((params as { readonly uri: string }).uri);
    });
    way.sdk?.listen(client, "notifications/tools/list_changed", () => void received.push("tools"));
    await way.connect(client, new URL(listener.url));
    return { client, received, server, finish };
  }

  test("lists, calls, reads and completes", async () => {
    const { client, finish } = await open();
    finish();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["count", "ask"]);
    expect(textOf(await client.callTool({ name: "count" }))).toBe("counted");
    const { contents } = await client.readResource({ uri: watched });
    expect(contents).toEqual([{ uri: watched, text: "as it is" }]);
    const found = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "who", value: "A" },
    });
    expect(found.completion.values).toEqual(["Ann"]);
    await expect(client.readResource({ uri: "note://none" })).rejects.toThrow("not found");
  });

  test("receives the progress and the log of its call", async () => {
    const { client, received, finish } = await open();
    if (!way.isModern) await client.setLoggingLevel("warning");
    const seen: unknown[] = [];
    const wanted = { "io.modelcontextprotocol/logLevel": "warning" };
    const params = { name: "count", ...(way.isModern && { _meta: wanted }) };
    const onprogress = (progress: unknown) => {
      if (seen.push(progress) === 2) finish();
    };
    expect(textOf(await way.callTool(client, params, { onprogress }))).toBe("counted");
    expect(seen).toMatchObject([{ progress: 1 }, { progress: 2 }]);
    expect(received).toEqual(["counting"]);
  });

  test("answers a tool's questions: the person, the model, the folders", async () => {
    const { client } = await open();
    const text = textOf(await client.callTool({ name: "ask" })) ?? "";
    expect(JSON.parse(text)).toEqual([
      { action: "accept", content: { name: "Ann" } },
      "theirs",
      [{ uri: "file:///root" }],
    ]);
  });

  test("receives the changes that it has subscribed to", async () => {
    const { client, received, server } = await open();
    if (way.isModern) {
      const filter = { toolsListChanged: true, resourceSubscriptions: [watched] };
      const listening = await (client as unknown as ClientV2).listen(filter);
      onTestFinished(() => listening.close());
    } else await client.subscribeResource({ uri: watched });
    // In the legacy era, a stream opens some time after the handshake.
    await expect
      .poll(() => {
        server.emit("notifications/tools/list_changed");
        server.resourceUpdated("note://other");
        server.resourceUpdated(watched);
        return [...new Set(received)].sort();
      })
      .toEqual([watched, "tools"]);
  });
});
