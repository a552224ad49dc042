import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { RawEnd } from "@idewire/core/testing";
import {
  CommentStore,
  createCommentServer,
  createMemoryWorkspace,
  createSourceReader,
} from "@idewire/paired-comments";
import { readGrammarFile } from "@idewire/paired-comments/node";
import { expect } from "vitest";
import { verifies } from "../src/verifies.ts";

const reader = createSourceReader(readGrammarFile);
const filePath = "src/services/auth.ts";
const source = `export class AuthService {
  validatePassword(password: string) {
    if (password === "" || password.length > 100) return false;
    return check(password);
  }
}
`;
const text = "TODO: Add rate limiting to prevent brute force attacks";
const aiMeta = {
  model: "claude-sonnet-4.5",
  confidence: 0.95,
  reasoning: "Security best practice for authentication endpoints",
};
const wanted = { filePath, line: 2, text, tag: "TODO", author: "claude", aiMeta };

type Json = Readonly<Record<string, unknown>>;

interface Result {
  readonly content: readonly Json[];
  readonly structuredContent: Json;
}

function serve() {
  const workspace = createMemoryWorkspace({ [filePath]: source, "src/app.ts": source });
  let changed = (_: string) => {};
  const store = new CommentStore({ workspace, reader, onchange: (path) => changed(path) });
  const served = createCommentServer({ store });
  changed = served.changed;
  const [agentEnd, serverEnd] = createMemoryTransportPair();
  served.server.connect(serverEnd, { context: undefined });
  return { workspace, agentEnd };
}

/** A client of 2025-06-18, which receives errors in the seed's form. */
async function connect() {
  const { workspace, agentEnd } = serve();
  const received: unknown[] = [];
  const peer = new Peer(agentEnd, {
    handler: { handle: ({ method, params }) => void received.push({ method, params }) },
  });
  const clientInfo = { name: "agent", version: "1" };
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const initialized = (await peer.request("initialize", hello)) as Json;
  peer.notify("notifications/initialized");
  const ask = async (method: string, params?: object) =>
    (await peer.request(method, { ...params })) as Json;
  const call = async (name: string, args: object) =>
    (await ask("tools/call", { name, arguments: args })) as unknown as Result;
  const add = async (more: object = {}) =>
    String((await call("add_comment", { ...wanted, ...more })).structuredContent["id"]);
  const read = async (path: string) => {
    const { contents } = await ask("resources/read", { uri: `comment://workspace/${path}` });
    const [content] = contents as readonly Json[];
    expect(content).toMatchObject({ mimeType: "application/json" });
    return JSON.parse(String(content?.["text"])) as Json;
  };
  const prompt = async (name: string, args: object = {}) =>
    JSON.stringify((await ask("prompts/get", { name, arguments: args }))["messages"]);
  return { workspace, initialized, received, ask, call, add, read, prompt };
}

function textOf({ content }: Result): string {
  return content.map((item) => String(item["text"] ?? "")).join("\n");
}

async function schemaOf(name: string) {
  const { ask } = await connect();
  const tools = (await ask("tools/list"))["tools"] as readonly Json[];
  return tools.find((tool) => tool["name"] === name)?.["inputSchema"] as Json;
}

verifies(
  ["s3:capabilities", "s3:server-info"],
  "the server announces its capabilities",
  async () => {
    const { initialized } = await connect();
    expect(initialized).toMatchObject({
      capabilities: { resources: { subscribe: true, listChanged: true }, prompts: {}, tools: {} },
      serverInfo: { name: "paired-comments-mcp-server", version: "0.1.0" },
    });
  },
);

const id = { type: "string", pattern: "^c_\\d+$" };
const body = { type: "string", minLength: 1, maxLength: 10_000 };
const tags = { enum: ["TODO", "FIXME", "NOTE", "STAR", "QUESTION"] };

verifies(
  [
    "s3:add-schema",
    "s3:edit-schema",
    "s3:delete-schema",
    "s3:search-schema",
    "s3:file-schema",
    "s3:move-schema",
    "s3:export-schema",
  ],
  "each tool accepts the seed's arguments",
  async () => {
    expect(await schemaOf("add_comment")).toMatchObject({
      required: ["filePath", "line", "text", "tag"],
      properties: {
        line: { type: "integer", minimum: 1 },
        text: body,
        tag: tags,
        author: { default: "ai" },
        aiMeta: { properties: { confidence: { minimum: 0, maximum: 1 } } },
      },
    });
    expect(await schemaOf("edit_comment")).toMatchObject({
      required: ["filePath", "commentId", "text"],
      properties: { commentId: id, text: body },
    });
    expect(await schemaOf("delete_comment")).toMatchObject({
      required: ["filePath", "commentId"],
      properties: { commentId: id },
    });
    expect(await schemaOf("search_comments")).toMatchObject({
      required: ["query"],
      properties: {
        query: { minLength: 1 },
        filters: {
          properties: { tag: tags, author: {}, filePath: {}, hasAIMetadata: {}, dateRange: {} },
        },
        limit: { type: "integer", default: 100, maximum: 1000 },
      },
    });
    expect(await schemaOf("get_file_comments")).toMatchObject({
      required: ["filePath"],
      properties: { includeOrphaned: { type: "boolean", default: true } },
    });
    expect(await schemaOf("move_comment")).toMatchObject({
      required: ["sourceFile", "targetFile", "commentId", "targetLine"],
      properties: { commentId: id, targetLine: { type: "integer", minimum: 1 } },
    });
    expect(await schemaOf("export_comments")).toMatchObject({
      required: ["format"],
      properties: {
        format: { enum: ["json", "markdown", "jsonl", "parquet"] },
        options: {
          properties: {
            includeSourceContext: { default: false },
            contextLines: { default: 3, minimum: 0, maximum: 20 },
          },
        },
      },
    });
  },
);

verifies(
  ["s3:add-call", "s3:add-success"],
  "a comment is added, and reported with its anchor",
  async () => {
    const { call } = await connect();
    expect(textOf(await call("add_comment", wanted))).toMatch(
      /^✅ Comment added successfully\n\nComment ID: c_\d+\nGhost Marker ID: gm_\d+\nFile: src\/services\/auth\.ts:2\nTag: TODO\n\nThe comment has been anchored to the method 'validatePassword' and will track code changes\.$/,
    );
  },
);

verifies(
  ["s3:add-invalid-line", "s3:own-codes", "s3:not-found"],
  "errors of comments have a code, data and a suggestion",
  async () => {
    const { call, workspace } = await connect();
    await expect(call("add_comment", { ...wanted, line: 999 })).rejects.toMatchObject({
      code: -32005,
      message: "Invalid line number",
      data: {
        filePath,
        line: 999,
        fileLineCount: 7,
        suggestion: "Line must be between 1 and 7",
      },
    });
    await expect(call("get_file_comments", { filePath: "src/missing.ts" })).rejects.toMatchObject({
      code: -32001,
      message: "File not found",
      data: {
        filePath: "src/missing.ts",
        suggestion: "Check that the file exists in the workspace",
      },
    });
    const unknown = { filePath, commentId: "c_9999999" };
    await expect(call("delete_comment", unknown)).rejects.toMatchObject({
      code: -32002,
      message: "Comment not found",
      data: { ...unknown, suggestion: "Use get_file_comments to list valid comment IDs" },
    });
    const outside = { filePath: "../x.ts" };
    await expect(call("get_file_comments", outside)).rejects.toMatchObject({ code: -32003 });
    const secret = { filePath: ".env" };
    await expect(call("get_file_comments", secret)).rejects.toMatchObject({ code: -32004 });
    workspace.files.set(`${filePath}.comments`, "{");
    await expect(call("get_file_comments", { filePath })).rejects.toMatchObject({ code: -32007 });
  },
);

verifies(
  ["s3:edit-call", "s3:edit-success", "s3:delete-call", "s3:delete-success"],
  "a comment is edited and deleted, and both are reported",
  async () => {
    const { call, add, read, workspace } = await connect();
    const known = { filePath, commentId: await add() };
    const edited = await call("edit_comment", { ...known, text: "TODO: Use Redis" });
    expect(textOf(edited)).toMatch(
      /^✅ Comment edited successfully\n\nComment ID: c_\d+\nFile: src\/services\/auth\.ts\nUpdated: [\dT:.-]+Z$/,
    );
    expect(JSON.stringify(await read("all"))).toContain("Use Redis");
    expect(textOf(await call("delete_comment", known))).toBe(
      `✅ Comment deleted\n\nComment ID: ${known.commentId}\nFile: ${filePath}`,
    );
    expect(workspace.files.has(`${filePath}.comments`)).toBe(false);
  },
);

verifies(
  ["s3:search-call", "s3:search-success"],
  "filters narrow the results, and each comment takes three lines",
  async () => {
    const { call, add } = await connect();
    await add();
    await add({
      text: "NOTE: rate limits",
      tag: "NOTE",
      filePath: "src/app.ts",
      aiMeta: undefined,
    });
    const found = async (filters: object) =>
      textOf(await call("search_comments", { query: "rate limit", filters, limit: 50 }));
    expect(await found({ tag: "TODO", hasAIMetadata: true })).toMatch(
      /^Found 1 matching comment:\n\n1\. 📝 src\/services\/auth\.ts:2 \(TODO\)\n {3}"TODO: Add rate limiting to prevent brute force attacks"\n {3}Author: claude \| Created: [\dT:.-]+Z\n {3}AI: claude-sonnet-4\.5 \(confidence: 0\.95\)$/,
    );
    expect(await found({})).toMatch(/^Found 2 matching comments:/);
    expect(await found({ filePath: "src/*.ts" })).toContain("src/app.ts:2 (NOTE)");
    expect(await found({ filePath: "src/*.ts" })).toMatch(/^Found 1 /);
    expect(await found({ author: "bob" })).toMatch(/^Found 0 /);
    expect(await found({ dateRange: { end: "2020-01-01T00:00:00Z" } })).toMatch(/^Found 0 /);
  },
);

verifies(
  ["s3:file-call", "s3:file-success", "s3:orphaned-resource"],
  "the comments of a file are summarised and listed; orphans are left out only on request",
  async () => {
    const { call, add, read, workspace } = await connect();
    const commentId = await add();
    expect(textOf(await call("get_file_comments", { filePath }))).toBe(
      `Comments for ${filePath}\n\n📊 Summary:\n- Total comments: 1\n- TODO: 1\n- Orphaned: 0\n\n---\n\n1. TODO (Line 2) - ${commentId}\n   "Add rate limiting to prevent brute force attacks"\n   Author: claude | Anchored to: validatePassword()`,
    );
    expect(await read("orphaned")).toMatchObject({ totalComments: 0 });
    workspace.files.set(filePath, "other();\n");
    const { structuredContent } = await call("get_file_comments", { filePath });
    expect(structuredContent).toMatchObject({ orphanedCount: 1, comments: [{ id: commentId }] });
    const without = await call("get_file_comments", { filePath, includeOrphaned: false });
    expect(without.structuredContent).toMatchObject({ orphanedCount: 1, comments: [] });
    expect(await read("orphaned")).toMatchObject({ totalComments: 1 });
  },
);

verifies(["s3:move-call", "s3:move-success"], "a comment is moved to another file", async () => {
  const { call, add, read } = await connect();
  const commentId = await add();
  const target = { targetFile: "src/app.ts", targetLine: 4, commentId };
  expect(textOf(await call("move_comment", { sourceFile: filePath, ...target }))).toBe(
    `✅ Comment moved successfully\n\nFrom: ${filePath}:2\nTo: src/app.ts:4\n\nComment ID: ${commentId}\nNew anchor: validatePassword() in AuthService`,
  );
  expect(await read("all")).toMatchObject({ files: [{ filePath: "src/app.ts" }] });
});

verifies(
  ["s3:export-call", "s3:export-success"],
  "the export is an embedded resource, with the code around each comment",
  async () => {
    const { call, add } = await connect();
    await add();
    const options = { includeSourceContext: true, contextLines: 1 };
    const { content, structuredContent } = await call("export_comments", {
      format: "jsonl",
      options,
    });
    const resource = Object(content[0]?.["resource"]) as Json;
    expect(content).toMatchObject([
      {
        type: "resource",
        resource: { uri: "export://training-data.jsonl", mimeType: "application/x-ndjson" },
      },
    ]);
    expect(JSON.parse(String(resource["text"]))).toMatchObject({
      prompt: expect.stringContaining("validatePassword(password: string)"),
      completion: text,
      metadata: { tag: "TODO", author: "claude" },
    });
    const sizeBytes = new TextEncoder().encode(String(resource["text"])).length;
    expect(structuredContent).toMatchObject({ format: "jsonl", totalComments: 1, sizeBytes });
  },
);

verifies(
  ["s3:workspace-resource", "s3:file-resource", "s3:tag-resource", "s3:ai-resource"],
  "comments are read by file, by tag and by author",
  async () => {
    const { add, read } = await connect();
    await add();
    await add({ filePath: "src/app.ts", tag: "NOTE", aiMeta: undefined });
    expect(await read("all")).toMatchObject({
      files: [{ filePath: "src/app.ts" }, { filePath, comments: [{ text, tag: "TODO" }] }],
      totalComments: 2,
    });
    expect(await read(`${filePath}.comments`)).toMatchObject({ filePath, comments: [{ text }] });
    expect(await read("tags/NOTE")).toMatchObject({ files: [{ filePath: "src/app.ts" }] });
    expect(await read("ai-enriched")).toMatchObject({ files: [{ filePath }], totalComments: 1 });
  },
);

verifies("s3:subscribe", "a subscriber is notified of a change by the URI", async () => {
  const { ask, add, received } = await connect();
  const uri = "comment://workspace/src/app.ts.comments";
  await ask("resources/subscribe", { uri });
  await add({ filePath: "src/app.ts" });
  await expect
    .poll(() => received)
    .toContainEqual({ method: "notifications/resources/updated", params: { uri } });
});

verifies(
  ["s3:review-prompt", "s3:complexity-prompt", "s3:training-prompt", "s3:orphans-prompt"],
  "each prompt has the real code and the real comments",
  async () => {
    const { prompt, add, workspace } = await connect();
    const commentId = await add();
    const review = await prompt("review_code", { filePath, focus: "security" });
    for (const part of ["security", "typescript", "check(password)", "Input validation"]) {
      expect(review).toContain(part);
    }
    expect(await prompt("explain_complexity", { filePath })).not.toContain("return check");
    const complex = await prompt("explain_complexity", { filePath, complexityThreshold: "3" });
    expect(complex).toContain("validatePassword");
    expect(await prompt("training_export")).toContain("check(password)");
    const bare = await prompt("training_export", { includeContext: "false" });
    expect(bare).not.toContain("check(password)");
    workspace.files.set(filePath, "other();\n");
    for (const args of [{}, { filePath }]) {
      expect(await prompt("fix_orphans", args)).toContain(commentId);
    }
  },
);

verifies("s3:standard-codes", "JSON-RPC's own errors have its codes", async () => {
  const { ask, call } = await connect();
  await expect(ask("nothing/here")).rejects.toMatchObject({ code: -32601 });
  await expect(call("add_comment", { filePath })).rejects.toMatchObject({ code: -32602 });
});

verifies(
  ["s3:request", "s3:success", "s3:error", "s3:notification"],
  "messages have the members of JSON-RPC",
  async () => {
    const { agentEnd } = serve();
    const agent = new RawEnd(agentEnd);
    agent.request(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "agent", version: "1" },
    });
    agent.notify("notifications/initialized");
    expect(await agent.take()).toMatchObject([{ jsonrpc: "2.0", id: 1, result: {} }]);
    const call = (name: string, line: number) =>
      agent.request(name, "tools/call", { name: "add_comment", arguments: { ...wanted, line } });
    call("good", 2);
    call("bad", 999);
    await expect.poll(() => agent.frames.length).toBe(3);
    const messages = await agent.take();
    expect(messages).toContainEqual(
      expect.objectContaining({
        jsonrpc: "2.0",
        id: "good",
        result: expect.objectContaining({ content: [{ type: "text", text: expect.any(String) }] }),
      }),
    );
    expect(messages).toContainEqual({
      jsonrpc: "2.0",
      id: "bad",
      error: { code: -32005, message: "Invalid line number", data: expect.any(Object) },
    });
    const [listChanged] = messages.filter((message) => !("id" in message));
    expect(listChanged).toMatchObject({ method: "notifications/resources/list_changed" });
  },
);
