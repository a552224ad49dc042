import { expect, test } from "vitest";
import { openModern } from "../../testing/modern-fixture.ts";
import { McpServer } from "./server.ts";

function open() {
  const caching = { "tools/list": { ttlMs: 5000, cacheScope: "public" } } as const;
  const server = new McpServer<undefined>({ name: "s", version: "1", caching });
  server.tool("open", {}, () => "for all");
  const remove = server.tool(
    "secret",
    { visible: ({ principal }) => principal === "ann" },
    () => "s",
  );
  const connect = (principal: string) => openModern(server, { principal });
  return { server, remove, ann: connect("ann"), bob: connect("bob") };
}

const namesOf = (result: unknown) =>
  (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(
    ({ name }) => name,
  );

test("a tool is listed only for clients that may see it, in both eras", async () => {
  const { ann, bob } = open();
  for (const [client, names] of [
    [ann, ["open", "secret"]],
    [bob, ["open"]],
    [ann, ["open", "secret"]],
  ] as const) {
    expect(namesOf((await client.call("tools/list")).result)).toEqual(names);
    client.client.request("i", "initialize", { protocolVersion: "2025-11-25", capabilities: {} });
    client.client.request("l", "tools/list");
    const list = (await client.client.take()).find(({ id }) => id === "l");
    expect(namesOf(list?.result)).toEqual(names);
  }
});

test("for others it is answered like an unknown one", async () => {
  const { ann, bob } = open();
  expect((await ann.call("tools/call", { name: "secret" })).result).toMatchObject({
    content: [{ text: "s" }],
  });
  const { error } = await bob.call("tools/call", { name: "secret" });
  const unknown = await bob.call("tools/call", { name: "secretive" });
  expect(JSON.stringify(error)).toBe(JSON.stringify(unknown.error).replace("secretive", "secret"));
});

test("while lists differ, clients do not cache them for others", async () => {
  const { remove, ann } = open();
  const hint = async () => (await ann.call("tools/list")).result;
  expect(await hint()).toMatchObject({ ttlMs: 5000, cacheScope: "private" });
  remove();
  expect(await hint()).toMatchObject({ ttlMs: 5000, cacheScope: "public" });
});
