import { expect, test } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { McpClient } from "../client/client.ts";
import { pageOf } from "./pagination.ts";
import { McpServer } from "./server.ts";

const keyOf = (item: string) => item;
const letters = ["a", "b", "c", "d", "e"];

test.each([
  [undefined, ["a", "b"], "b"],
  [null, ["a", "b"], "b"],
  ["b", ["c", "d"], "d"],
  ["d", ["e"], undefined],
  ["e", [], undefined],
  ["a", ["b", "c"], "c"],
])("after the cursor %j comes %j", (cursor, items, nextCursor) => {
  const page = pageOf(letters, { keyOf, cursor, pageSize: 2 });
  expect(page).toEqual({ items, ...(nextCursor !== undefined && { nextCursor }) });
});

test.each([
  [5, letters],
  [99, letters],
  [undefined, letters],
  [2, []],
])("with the page size %j, %j has one page", (pageSize, items) => {
  expect(pageOf(items, { keyOf, cursor: undefined, pageSize })).toEqual({ items });
});

test.each(["", "z", 5, {}, []])("the cursor %j was never issued, which is -32602", (cursor) => {
  const cut = () => pageOf(letters, { keyOf, cursor, pageSize: 2 });
  expect(cut).toThrow(expect.objectContaining({ code: -32_602 }));
});

test("a client gets all tools of a paginated list", async () => {
  const server = new McpServer({ name: "s", version: "1", pageSize: 2 });
  for (let index = 0; index < 5; index += 1) server.tool(`tool ${index}`, {}, () => "");
  const [left, right] = createMemoryTransportPair();
  server.connect(right);
  const client = await McpClient.connect(left, { name: "c", version: "1", era: "legacy" });
  const names = async () => (await client.listTools()).map(({ name }) => name);
  expect(await names()).toEqual(["tool 0", "tool 1", "tool 2", "tool 3", "tool 4"]);
  const pages: unknown[] = [];
  for (const cursor of [undefined, "tool 1", "tool 3"]) {
    pages.push(await client.peer.request("tools/list", { cursor }));
  }
  expect(pages).toMatchObject([{ nextCursor: "tool 1" }, { nextCursor: "tool 3" }, {}]);
  expect(pages[2]).not.toHaveProperty("nextCursor");
  await expect(client.peer.request("tools/list", { cursor: "?" })).rejects.toMatchObject({
    code: -32_602,
  });
});
