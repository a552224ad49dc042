import { expect, test, vi } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";
import type { McpServerOptions } from "../server-options.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

const readme = {
  uri: "file:///readme.md",
  name: "readme",
  title: "Read me",
  description: "First of all",
  mimeType: "text/markdown",
  size: 5,
  annotations: { audience: ["user"], priority: 0.5 },
  icons: [{ src: "data:,x" }],
} as const;
const logo = { uri: "file:///logo.png" };

function addReadme(server: McpServer<string>, uri: string = readme.uri) {
  const { uri: _, ...options } = readme;
  return server.resource(uri, options, (_variables, { context }) => `hello ${context}`);
}

function addNotes(server: McpServer<string>, uri: "note://{name}" | "log://{name}") {
  server.resource(
    uri,
    {
      name: "notes",
      title: "Notes",
      list: async () => [{ uri: "note://one", name: "one", title: "One" }],
    },
    ({ name }, { context }) => (name === "gone" ? undefined : `${context}: ${name}`),
  );
}

function open(options: Partial<McpServerOptions<string>> = {}) {
  const server = new McpServer<string>({ name: "s", version: "1", ...options });
  addReadme(server);
  server.resource(logo.uri, { name: "logo" }, async () => [
    { uri: logo.uri, mimeType: "image/png", blob: "AA==" },
    { uri: `${logo.uri}#2`, text: "two" },
  ]);
  addNotes(server, "note://{name}");
  const join = (protocolVersion: LegacyRevision = "2025-11-25") =>
    joinInMemory(server, "Ann", { protocolVersion });
  return { server, join };
}

test.each(revisions)("in %s a client lists, reads and watches resources", async (revision) => {
  const { server, join } = open();
  const { client } = await join(revision);
  expect(client.server.capabilities).toMatchObject({
    resources: { listChanged: true, subscribe: true },
  });
  const listed = await client.listResources();
  expect(listed.map(({ uri }) => uri)).toEqual([readme.uri, logo.uri, "note://one"]);
  expect(await client.listResourceTemplates()).toMatchObject([
    { uriTemplate: "note://{name}", name: "notes" },
  ]);
  expect(await client.readResource(readme.uri)).toEqual([
    { uri: readme.uri, mimeType: "text/markdown", text: "hello Ann" },
  ]);
  expect(await client.readResource(logo.uri)).toHaveLength(2);
  expect(await client.readResource("note://a%20b")).toEqual([
    { uri: "note://a%20b", text: "Ann: a b" },
  ]);
  const received = vi.fn();
  const stop = await client.subscribeResource(readme.uri, received);
  server.resourceUpdated(readme.uri);
  server.resourceUpdated(logo.uri);
  await settled();
  expect(received).toHaveBeenCalledTimes(1);
  stop();
  await settled();
  server.resourceUpdated(readme.uri);
  await settled();
  expect(received).toHaveBeenCalledTimes(1);
});

test.each([
  ["2024-11-05", ["annotations", "description", "mimeType", "name", "size", "uri"]],
  ["2025-03-26", ["annotations", "description", "mimeType", "name", "size", "uri"]],
  ["2025-06-18", ["annotations", "description", "mimeType", "name", "size", "title", "uri"]],
  [
    "2025-11-25",
    ["annotations", "description", "icons", "mimeType", "name", "size", "title", "uri"],
  ],
] as const)("%s describes a resource by %j", async (revision, members) => {
  const { client } = await open().join(revision);
  const [first] = await client.listResources();
  expect(Object.keys(first ?? {}).sort()).toEqual(members);
  const [template] = await client.listResourceTemplates();
  expect("title" in (template ?? {})).toBe(revision >= "2025-06-18");
});

test.each(revisions)("in %s a missing resource is -32002", async (revision) => {
  const { client } = await open().join(revision);
  for (const uri of ["file:///none", "note://gone", "", "__proto__"]) {
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32_002, data: { uri } });
  }
  await expect(client.subscribeResource("file:///none", () => {})).rejects.toMatchObject({
    code: -32_002,
  });
});

test.each(["resources/read", "resources/subscribe", "resources/unsubscribe"])(
  "%s of no text is -32602",
  async (method) => {
    const { client } = await open().join();
    for (const params of [undefined, {}, { uri: 5 }, { uri: null }]) {
      await expect(client.peer.request(method, params)).rejects.toMatchObject({
        code: -32_602,
      });
    }
  },
);

test("both lists are paginated", async () => {
  const { server, join } = open({ pageSize: 1 });
  addNotes(server, "log://{name}");
  const { client } = await join();
  expect(await client.peer.request("resources/list")).toMatchObject({
    resources: [{ uri: readme.uri }],
    nextCursor: readme.uri,
  });
  expect((await client.listResources()).length).toBe(3);
  expect((await client.listResourceTemplates()).length).toBe(2);
  await expect(client.peer.request("resources/list", { cursor: "?" })).rejects.toMatchObject({
    code: -32_602,
  });
});

test("adding and removing a resource notifies clients and changes the list", async () => {
  const { server, join } = open();
  const { client } = await join();
  const received = vi.fn();
  client.on("notifications/resources/list_changed", received);
  const remove = addReadme(server, "file:///new");
  await settled();
  expect((await client.listResources()).map(({ uri }) => uri)).toContain("file:///new");
  remove();
  remove();
  await settled();
  expect((await client.listResources()).length).toBe(3);
  expect(received).toHaveBeenCalledTimes(2);
  expect(() => addReadme(server)).toThrow('There is a resource "file:///readme.md" already');
});

test("without subscriptions the capability is absent, and the client sends no request", async () => {
  const { client } = await open({ subscriptions: false }).join();
  expect(client.server.capabilities).toMatchObject({ resources: { listChanged: true } });
  expect(client.server.capabilities).not.toHaveProperty("resources.subscribe");
  await expect(client.subscribeResource(readme.uri, () => {})).rejects.toMatchObject({
    code: "protocol",
  });
  await expect(
    client.peer.request("resources/subscribe", { uri: readme.uri }),
  ).rejects.toMatchObject({ code: -32_601 });
});

test("two listeners of one resource are called until each is stopped", async () => {
  const { server, join } = open();
  const { client, recorder } = await join();
  const first = vi.fn();
  const second = vi.fn();
  const stopFirst = await client.subscribeResource(readme.uri, first);
  const stopSecond = await client.subscribeResource(readme.uri, second);
  stopFirst();
  stopFirst();
  server.resourceUpdated(readme.uri);
  await settled();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  const sent = () => recorder.frames.filter(({ frame }) => frame.includes("/unsubscribe")).length;
  expect(sent()).toBe(0);
  stopSecond();
  expect(sent()).toBe(1);
});

test("one client may subscribe to a thousand resources, independently of others", async () => {
  const { join } = open();
  const { client } = await join();
  const watch = (name: number) =>
    client.peer.request("resources/subscribe", { uri: `note://${name}` });
  for (let name = 0; name < 1000; name += 1) await watch(name);
  await watch(0);
  await expect(watch(1000)).rejects.toMatchObject({ code: -32_602 });
  await (await join()).client.peer.request("resources/subscribe", { uri: "note://1000" });
});

test("bytes are sent as base64, with the type of the resource", async () => {
  const { server, join } = open();
  const bytes = new Uint8Array([1, 2, 255]);
  server.resource("file:///b", { name: "b", mimeType: "image/png" }, () => bytes);
  const { client } = await join();
  expect(await client.readResource("file:///b")).toEqual([
    { uri: "file:///b", mimeType: "image/png", blob: "AQL/" },
  ]);
});

test("an application is notified of each subscription, and may query whether there is one", async () => {
  const { server, join } = open();
  const onsubscribe = vi.fn();
  server.resource("file:///w", { name: "w", onsubscribe }, () => "");
  const { client } = await join();
  expect(server.isSubscribed("file:///w")).toBe(false);
  const stop = await client.subscribeResource("file:///w", () => undefined);
  expect(onsubscribe.mock.calls).toEqual([["file:///w"]]);
  expect(server.isSubscribed("file:///w")).toBe(true);
  stop();
  await settled();
  expect(server.isSubscribed("file:///w")).toBe(false);
});
