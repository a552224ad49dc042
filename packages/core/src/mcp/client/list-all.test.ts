import { expect, test, vi } from "vitest";
import {
  listAll,
  type PaginatedList,
  pagesOf,
  promptList,
  resourceList,
  toolList,
} from "./list-all.ts";

const tool = (name: string, more: object = {}) => ({ name, inputSchema: {}, ...more });

/** A server that answers with each page in turn, and from then on with the last one. */
function serve(...pages: readonly object[]) {
  const warn = vi.fn<(words: string) => void>();
  let requestCount = 0;
  const client = {
    warn,
    async request() {
      requestCount += 1;
      return pages[Math.min(requestCount, pages.length) - 1];
    },
  };
  const list = async (of: PaginatedList) => ({
    items: await listAll<Readonly<Record<string, unknown>>>(client, of),
    warnings: warn.mock.calls.map(([words]) => words),
  });
  return { client, list, requestCount: () => requestCount };
}

test.each([
  ["the same page and cursor", [{ tools: [tool("a")], nextCursor: "c" }]],
  ["an empty cursor as the end", [{ tools: [tool("a")], nextCursor: "" }]],
  [
    "two pages in turn",
    [
      { tools: [tool("a")], nextCursor: "1" },
      { tools: [tool("b")], nextCursor: "2" },
    ],
  ],
  [
    "the cursor of a last page with new items",
    [
      { tools: [tool("a")], nextCursor: "c" },
      { tools: [tool("b")], nextCursor: "c" },
    ],
  ],
  [
    "a cursor that is an object",
    [
      { tools: [tool("a")], nextCursor: { at: 1 } },
      { tools: [tool("b")], nextCursor: { at: 1 } },
    ],
  ],
])("a list whose cursors never end is delivered once, with a warning: %s", async (_, pages) => {
  const { list, requestCount } = serve(...pages);
  const { items, warnings } = await list(toolList);
  expect(items.map(({ name }) => name)).toEqual(
    pages.flatMap(({ tools }) => tools.map(({ name }) => name)),
  );
  expect(warnings).toEqual([expect.stringContaining("the list ends here")]);
  expect(requestCount()).toBeLessThan(5);
});

test.each([
  ["null", null],
  ["a text", "b"],
  ["a list", [tool("b")]],
  ["a tool without a name", { inputSchema: {} }],
  ["a tool whose name is a number", tool("b", { name: 2 })],
])("an invalid item hides no other, and is reported: %s", async (_, bad) => {
  const { items, warnings } = await serve({ tools: [tool("a"), bad, tool("c")] }).list(toolList);
  expect(items.map(({ name }) => name)).toEqual(["a", "c"]);
  expect(warnings).toEqual([expect.stringContaining("which has no name")]);
});

test("a list without a usable item is an error", async () => {
  await expect(serve({ prompts: [null] }).list(promptList)).rejects.toThrow("has null");
  await expect(serve({ prompts: {} }).list(promptList)).rejects.toMatchObject({ code: "protocol" });
});

test("an invalid later page hides none of the earlier ones", async () => {
  const { list } = serve({ tools: [tool("a")], nextCursor: "c" }, { tools: 7 });
  const { items, warnings } = await list(toolList);
  expect([items.length, warnings.length]).toEqual([1, 1]);
});

test("null members of an item count as absent, except in schemas and _meta", async () => {
  const described = {
    ...tool("a", {
      description: null,
      title: null,
      annotations: { readOnlyHint: null, title: "A" },
    }),
    inputSchema: { type: "object", default: null },
    _meta: { "x/y": null },
  };
  const { items } = await serve({ tools: [described, { name: "b", inputSchema: null }] }).list(
    toolList,
  );
  expect(items).toEqual([
    {
      ...{ name: "a", annotations: { title: "A" }, _meta: { "x/y": null } },
      inputSchema: { type: "object", default: null },
    },
    { name: "b", inputSchema: { type: "object" } },
  ]);
  const prompt = { name: "p", arguments: [{ name: "x", description: null, required: null }] };
  expect((await serve({ prompts: [prompt] }).list(promptList)).items).toEqual([
    { name: "p", arguments: [{ name: "x" }] },
  ]);
  const resource = { uri: "a:b", name: "b", size: null, mimeType: null };
  expect((await serve({ resources: [resource] }).list(resourceList)).items).toEqual([
    { uri: "a:b", name: "b" },
  ]);
});

test("each page is delivered as it arrives", async () => {
  const { client } = serve(
    { tools: [tool("a")], nextCursor: "1" },
    { tools: [], nextCursor: "2" },
    { tools: [tool("b")] },
  );
  const sizes: number[] = [];
  for await (const page of pagesOf(client, toolList)) sizes.push(page.length);
  expect(sizes).toEqual([1, 0, 1]);
});
