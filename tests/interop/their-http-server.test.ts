import { elicitation, McpClient } from "@idewire/core/client";
import type { LegacyRevision } from "@idewire/core/internal";
import { createHttpTransport } from "@idewire/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAddingServer, text } from "./adding-server.ts";
import { type httpServers, listenTheirs } from "./http-servers.ts";

type Notify = (notification: object) => Promise<void>;

/** The second parameter of a tool. */
interface Extra {
  readonly _meta?: { readonly progressToken?: unknown };
  readonly sendNotification?: Notify;
  readonly notify?: Notify;
}

const kinds = [
  ["sessions of 1.32", "sessionsV1", 0],
  ["HTTP+SSE of 1.32", "sseV1", 0],
  ["sessions of 2.4", "sessionsV2", 1],
] as const;

/** Without sessions they cannot ask the person, or send anything outside a call. */
const stateless = [
  ["without sessions of 1.32", "statelessV1", 0],
  ["without sessions of 2.4", "statelessV2", 1],
] as const;

describe.each(stateless)("the official server %s", (_, kind, which) => {
  test.each(["2025-03-26", "2025-11-25"] as const)("speaks %s with us", async (revision) => {
    const theirs = await listenTheirs(kind, () => createAddingServer(which));
    onTestFinished(() => theirs.close());
    const client = await McpClient.connect(() => createHttpTransport(theirs.url), {
      name: "ours",
      version: "1",
      protocolVersion: revision,
      era: "legacy",
    });
    onTestFinished(() => client.close());
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["add"]);
    const answers = await Promise.all([1, 2, 3, 4].map((a) => client.callTool("add", { a })));
    expect(answers).toMatchObject([2, 3, 4, 5].map((sum) => text(String(sum))));
  });
});

describe.each(kinds)("the official server with %s", (_, kind, which) => {
  async function serve() {
    let calls = 0;
    const create = () => {
      const server = createAddingServer(which, { logging: {} });
      server.registerTool("count", {}, () => text(String(++calls)));
      server.registerTool("slow", {}, async (extra) => {
        // In 2.x it is elsewhere.
        const {
          _meta,
          notify,
          sendNotification = notify,
        }: Extra = (extra as { mcpReq?: Extra }).mcpReq ?? (extra as Extra);
        const params = { progressToken: _meta?.progressToken, progress: 1, total: 2 };
        await sendNotification?.({ method: "notifications/progress", params });
        return text("slow");
      });
      server.registerTool("ask", {}, async () => {
        const { action } = await server.server.elicitInput({
          mode: "form",
          message: "Who?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        });
        return text(action);
      });
      server.registerResource("a", "file:///a.txt", {}, async ({ href }) => ({
        contents: [{ uri: href, text: "ä 🦊" }],
      }));
      return server;
    };
    const listening = await listenTheirs(kind as keyof typeof httpServers, create);
    onTestFinished(() => listening.close());
    return listening;
  }

  async function connect(url: string, protocolVersion?: LegacyRevision) {
    const client = await McpClient.connect(() => createHttpTransport(url), {
      name: "ours",
      version: "1",
      features: [elicitation({ form: () => ({ action: "decline" }) })],
      era: "legacy",
      ...(protocolVersion && { protocolVersion }),
    });
    onTestFinished(() => client.close());
    return client;
  }

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const)(
    "speaks %s with us",
    async (revision) => {
      const { url } = await serve();
      const client = await connect(url, revision);
      expect(client.server.protocolVersion).toBe(revision);
      expect((await client.listTools()).map(({ name }) => name)).toContain("add");
      expect(await client.callTool("add", { a: 1 })).toMatchObject(text("2"));
      expect(await client.readResource("file:///a.txt")).toMatchObject([{ text: "ä 🦊" }]);
    },
  );

  test("reports progress, asks the person and answers many calls at once", async () => {
    const { url } = await serve();
    const client = await connect(url);
    const onProgress = vi.fn();
    expect(await client.callTool("ask")).toMatchObject(text("decline"));
    const calls = [1, 2, 3, 4, 5, 6, 7, 8].map((a) => client.callTool("add", { a }));
    const answers = await Promise.all(calls);
    expect(answers.map(({ content: [item] }) => item)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((sum) => ({ type: "text", text: String(sum) })),
    );
    expect(await client.callTool("slow", {}, { onProgress })).toMatchObject(text("slow"));
    expect(onProgress).toHaveBeenCalledWith({ progress: 1, total: 2 });
  });

  test("may forget its sessions between two calls: each is carried out once", async () => {
    const theirs = await serve();
    const [client, other] = await Promise.all([connect(theirs.url), connect(theirs.url)]);
    expect(await client.callTool("count")).toMatchObject(text("1"));
    theirs.forget();
    if (kind === "sseV1") {
      // Only an answered call shows that the client has noticed the loss.
      await expect
        .poll(() => client.callTool("add", { a: 1 }).catch(() => undefined))
        .toMatchObject(text("2"));
    }
    expect(await client.callTool("count")).toMatchObject(text("2"));
    expect(await other.callTool("count")).toMatchObject(text("3"));
  });
});
