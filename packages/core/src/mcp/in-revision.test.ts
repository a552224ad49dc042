import * as v from "valibot";
import { expect, test } from "vitest";
import { createMemoryTransportPair } from "../rpc/memory-transport.ts";
import { McpClient } from "./client/client.ts";
import { type ContentBlock, structuredResult, type ToolResult, toolResult } from "./content.ts";
import { contentIn, toolIn, toolResultIn } from "./in-revision.ts";
import { McpServer } from "./server/server.ts";
import { type LegacyRevision, legacyRevisions, revisions } from "./versions.ts";

const icons = [{ src: "data:image/png;base64,AA==", sizes: ["48x48"] }];
const info = {
  name: "s",
  version: "1",
  title: "Server",
  description: "Serves",
  websiteUrl: "https://s.test",
  icons,
};

const everything: readonly ContentBlock[] = [
  { type: "text", text: "words", annotations: { priority: 1 } },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AA==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a", text: "a" } },
  { type: "resource_link", uri: "file:///b", name: "b" },
];

const described = {
  title: "T",
  description: "D",
  icons,
  annotations: { readOnlyHint: true },
  _meta: { "test/a": 1 },
};

async function join(protocolVersion: LegacyRevision, onerror = (_: Error) => {}) {
  const server = new McpServer({ ...info, onerror });
  const output = v.object({ n: v.number() });
  const structured = (name: string, answer: { n: number } | ToolResult<{ n: number }>) =>
    server.tool(name, { ...described, output }, () => answer);
  server.tool("all", described, () => ({ content: everything }));
  structured("structured", { n: 1 });
  structured("bare", toolResult({ content: [], structuredContent: { n: 2 } }));
  structured("failed", toolResult({ content: [], isError: true }));
  structured("wrong", { n: "x" as never });
  structured("missing", toolResult({ content: [] }));
  const [left, right] = createMemoryTransportPair();
  server.connect(right);
  return McpClient.connect(left, { ...info, protocolVersion, era: "legacy" });
}

const members: readonly [LegacyRevision, readonly string[], readonly string[]][] = [
  ["2024-11-05", ["description", "inputSchema", "name"], ["name", "version"]],
  ["2025-03-26", ["annotations", "description", "inputSchema", "name"], ["name", "version"]],
  [
    "2025-06-18",
    ["_meta", "annotations", "description", "inputSchema", "name", "outputSchema", "title"],
    ["name", "title", "version"],
  ],
  [
    "2025-11-25",
    [
      "_meta",
      "annotations",
      "description",
      "icons",
      "inputSchema",
      "name",
      "outputSchema",
      "title",
    ],
    ["description", "icons", "name", "title", "version", "websiteUrl"],
  ],
];

test.each(members)(
  "%s describes a tool by %j, a server by %j",
  async (revision, ofTool, ofServer) => {
    const client = await join(revision);
    const found = (await client.listTools()).find(({ name }) => name === "structured");
    expect(Object.keys(found ?? {}).sort()).toEqual(ofTool);
    expect(Object.keys(client.server.serverInfo).sort()).toEqual(ofServer);
  },
);

const kinds: readonly [LegacyRevision, readonly string[]][] = [
  ["2024-11-05", ["text", "image", "text", "resource", "text"]],
  ["2025-03-26", ["text", "image", "audio", "resource", "text"]],
  ["2025-06-18", ["text", "image", "audio", "resource", "resource_link"]],
  ["2025-11-25", ["text", "image", "audio", "resource", "resource_link"]],
];

test.each(kinds)(
  "%s carries content as %j, and describes the rest in text",
  async (revision, types) => {
    const { content } = await (await join(revision)).callTool("all");
    expect(content.map(({ type }) => type)).toEqual(types);
    const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    if (!types.includes("audio")) expect(texts.join()).toContain("audio/wav");
    if (!types.includes("resource_link")) expect(texts.join()).toContain("b: file:///b");
    expect(contentIn(legacyRevisions[revision], everything)).toEqual(content);
  },
);

test.each(["2024-11-05", "2025-03-26"] as const)(
  "%s has structured output as text",
  async (revision) => {
    const client = await join(revision);
    expect(await client.callTool("structured")).toEqual({
      content: [{ type: "text", text: '{"n":1}' }],
    });
    expect(await client.callTool("bare")).toEqual({ content: [{ type: "text", text: '{"n":2}' }] });
  },
);

test.each(["2025-06-18", "2025-11-25"] as const)("%s has structured output", async (revision) => {
  const client = await join(revision);
  expect(await client.callTool("structured")).toEqual(structuredResult({ n: 1 }));
  expect(await client.callTool("bare")).toEqual({ content: [], structuredContent: { n: 2 } });
  expect(await client.callTool("failed")).toEqual({ content: [], isError: true });
});

test.each(["wrong", "missing"])(
  "output that is %s is a bug, which the author and the model read",
  async (name) => {
    const errors: string[] = [];
    const client = await join("2025-11-25", ({ message }) => void errors.push(message));
    expect(await client.callTool(name)).toMatchObject({ isError: true });
    expect(errors).toEqual([expect.stringContaining(`The result of tool "${name}": `)]);
  },
);

const list = {
  jsonSchema: { type: "array", items: { type: "number" } },
  parse: (value: unknown) => ({ ok: true as const, value }),
};

test.each(["2025-06-18", "2025-11-25", "2026-07-28"] as const)(
  "in %s a list is allowed as structured content",
  (revision) => {
    const traits = revisions[revision];
    const isModern = revision === "2026-07-28";
    const description = { name: "t", inputSchema: { type: "object" as const } };
    const described = toolIn(traits, { ...description, outputSchema: list.jsonSchema });
    expect(described).toEqual(
      isModern ? { ...description, outputSchema: list.jsonSchema } : description,
    );
    for (const value of [[1, 2], "x", 0, false, null]) {
      const bare = { content: [], structuredContent: value };
      const text = { content: [{ type: "text", text: JSON.stringify(value) }] };
      expect(toolResultIn(traits, bare)).toEqual(isModern ? bare : text);
      const { structuredContent, ...plain } = structuredResult(value);
      expect(structuredContent).toBe(value);
      expect(toolResultIn(traits, { ...plain, structuredContent })).toEqual(
        isModern ? { ...text, structuredContent: value } : text,
      );
    }
  },
);
