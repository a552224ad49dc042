import { expect, test, vi } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

function addReview(server: McpServer<string>) {
  return server.prompt(
    "review",
    {
      title: "Review",
      description: "Reviews code",
      icons: [{ src: "data:,x" }],
      arguments: {
        code: { title: "The code", required: true },
        tone: { description: "How", complete: () => ["kind"] },
      },
    },
    ({ code, tone = "plain" }, { context }) => ({
      description: "A review",
      messages: [{ role: "user", content: { type: "text", text: `${context}, ${tone}: ${code}` } }],
    }),
  );
}

function addRich(server: McpServer<string>, name = "rich") {
  return server.prompt(name, {}, async () => [
    { role: "assistant", content: { type: "audio", data: "AA==", mimeType: "audio/wav" } },
    { role: "user", content: { type: "resource_link", uri: "file:///a", name: "a" } },
    { role: "user", content: { type: "resource", resource: { uri: "file:///b", text: "b" } } },
  ]);
}

function open(pageSize?: number) {
  const own = pageSize === undefined ? {} : { pageSize };
  const server = new McpServer<string>({ name: "s", version: "1", ...own });
  addReview(server);
  addRich(server);
  const join = (protocolVersion: LegacyRevision = "2025-11-25") =>
    joinInMemory(server, "Ann", { protocolVersion });
  return { server, join };
}

test.each(revisions)("in %s a client lists prompts and gets one filled in", async (revision) => {
  const { client } = await open().join(revision);
  expect(client.server.capabilities).toMatchObject({ prompts: { listChanged: true } });
  expect((await client.listPrompts()).map(({ name }) => name)).toEqual(["review", "rich"]);
  expect(await client.getPrompt("review", { code: "x = 1" })).toEqual({
    description: "A review",
    messages: [{ role: "user", content: { type: "text", text: "Ann, plain: x = 1" } }],
  });
});

test.each([
  ["2024-11-05", ["arguments", "description", "name"], ["name", "required"]],
  ["2025-03-26", ["arguments", "description", "name"], ["name", "required"]],
  ["2025-06-18", ["arguments", "description", "name", "title"], ["name", "required", "title"]],
  [
    "2025-11-25",
    ["arguments", "description", "icons", "name", "title"],
    ["name", "required", "title"],
  ],
] as const)("%s describes a prompt by %j, its argument by %j", async (revision, of, ofArgument) => {
  const { client } = await open().join(revision);
  const [first] = await client.listPrompts();
  expect(Object.keys(first ?? {}).sort()).toEqual(of);
  expect(Object.keys(first?.arguments?.[0] ?? {}).sort()).toEqual(ofArgument);
});

test.each([
  ["2024-11-05", ["text", "text", "resource"]],
  ["2025-03-26", ["audio", "text", "resource"]],
  ["2025-06-18", ["audio", "resource_link", "resource"]],
  ["2025-11-25", ["audio", "resource_link", "resource"]],
] as const)("%s carries a prompt's content as %j", async (revision, types) => {
  const { client } = await open().join(revision);
  const { messages } = await client.getPrompt("rich");
  expect(messages.map(({ content }) => content.type)).toEqual(types);
});

test.each([
  [{ name: "none" }, "Unknown prompt"],
  [{ name: 5 }, "Unknown prompt"],
  [{ name: "__proto__" }, "Unknown prompt"],
  [{}, "Unknown prompt"],
  [{ name: "review" }, "code: expected string, got nothing"],
  [{ name: "review", arguments: { code: 5 } }, "code: expected string, got 5"],
  [{ name: "review", arguments: { code: "x", other: [] } }, "other: expected string, got []"],
  [{ name: "review", arguments: "x" }, "arguments: expected object"],
])("a prompt got by %j is -32602", async (params, message) => {
  const { client } = await open().join();
  await expect(client.peer.request("prompts/get", params)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringContaining(message),
  });
});

test("prompts are paginated", async () => {
  const { client } = await open(1).join();
  expect(await client.peer.request("prompts/list")).toMatchObject({ nextCursor: "review" });
  expect((await client.listPrompts()).length).toBe(2);
});

test("adding and removing a prompt notifies clients", async () => {
  const { server, join } = open();
  const { client } = await join();
  const received = vi.fn();
  client.on("notifications/prompts/list_changed", received);
  const remove = addRich(server, "new");
  await settled();
  expect((await client.listPrompts()).length).toBe(3);
  remove();
  remove();
  await settled();
  expect((await client.listPrompts()).length).toBe(2);
  expect(received).toHaveBeenCalledTimes(2);
  expect(() => addRich(server)).toThrow('There is a prompt "rich" already');
});

test("a text is a message of the user", async () => {
  const { server, join } = open();
  server.prompt("plan", { arguments: { city: { required: true } } }, ({ city }) => `Go to ${city}`);
  const { client } = await join();
  expect(await client.getPrompt("plan", { city: "Oslo" })).toEqual({
    messages: [{ role: "user", content: { type: "text", text: "Go to Oslo" } }],
  });
});
