import { expect, test, vi } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";
import { type Resource, Resources, type ResourcesOptions } from "./resources.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

const readme: Resource<string> = {
  uri: "file:///readme.md",
  name: "readme",
  title: "Read me",
  description: "First of all",
  mimeType: "text/markdown",
  size: 5,
  annotations: { audience: ["user"], priority: 0.5 },
  icons: [{ src: "data:,x" }],
  read: (uri, who) => ({ uri, mimeType: "text/markdown", text: `hello ${who}` }),
};

const logo: Resource<string> = {
  uri: "file:///logo.png",
  name: "logo",
  read: async (uri) => [
    { uri, mimeType: "image/png", blob: "AA==" },
    { uri: `${uri}#2`, text: "two" },
  ],
};

const notes: NonNullable<ResourcesOptions<string>["templates"]>[number] = {
  uriTemplate: "note://{name}",
  name: "notes",
  title: "Notes",
  read: ({ uri, variables }, who) =>
    variables["name"] === "gone" ? undefined : { uri, text: `${who}: ${variables["name"]}` },
  list: async () => [{ uri: "note://one", name: "one", title: "One" }],
};

function open(options: Partial<ResourcesOptions<string>> = {}) {
  const resources = new Resources<string>({
    resources: [readme, logo],
    templates: [notes],
    subscriptions: true,
    ...options,
  });
  const info = { name: "s", version: "1" };
  const server = new McpServer<string>({ info, features: [resources] });
  const join = (protocolVersion: LegacyRevision = "2025-11-25") =>
    joinInMemory(server, "Ann", { protocolVersion });
  return { resources, join };
}

test.each(revisions)("in %s a client lists, reads and watches resources", async (revision) => {
  const { resources, join } = open();
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
  resources.updated(readme.uri);
  resources.updated(logo.uri);
  await settled();
  expect(received).toHaveBeenCalledTimes(1);
  stop();
  await settled();
  resources.updated(readme.uri);
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

test.each(revisions)("in %s a resource that is not there is -32002", async (revision) => {
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
  const templates = [notes, { ...notes, uriTemplate: "log://{day}" }];
  const { client } = await open({ pageSize: 1, templates: templates }).join();
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
  const { resources, join } = open({ templates: [] });
  const { client } = await join();
  const received = vi.fn();
  client.on("notifications/resources/list_changed", received);
  const remove = resources.add({ ...readme, uri: "file:///new" });
  await settled();
  expect((await client.listResources()).map(({ uri }) => uri)).toContain("file:///new");
  remove();
  remove();
  await settled();
  expect((await client.listResources()).length).toBe(2);
  expect(received).toHaveBeenCalledTimes(2);
  expect(() => resources.add(readme)).toThrow('There is a resource "file:///readme.md" already');
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
  const { resources, join } = open();
  const { client, recorder } = await join();
  const first = vi.fn();
  const second = vi.fn();
  const stopFirst = await client.subscribeResource(readme.uri, first);
  const stopSecond = await client.subscribeResource(readme.uri, second);
  stopFirst();
  stopFirst();
  resources.updated(readme.uri);
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
