import type { LegacyRevision } from "@idewire/core/internal";
import { createMemoryTransportPair, Peer, RpcError } from "@idewire/core/rpc";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { CommentStore } from "../store/comment-store.ts";
import { createMemoryWorkspace } from "../store/memory-workspace.ts";
import { createCommentServer } from "./comment-server.ts";
import { add, connect, contentOf, reader, source, textOf, wanted } from "./testing/connect.ts";

test("the seven tools of seed 003 have its required arguments; replies and states are two more", async () => {
  const { client } = await connect();
  const tools = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema["required"]])).toEqual([
    ["add_comment", ["filePath", "line", "text", "tag"]],
    ["edit_comment", ["filePath", "commentId", "text"]],
    ["delete_comment", ["filePath", "commentId"]],
    ["search_comments", ["query"]],
    ["get_file_comments", ["filePath"]],
    ["move_comment", ["sourceFile", "targetFile", "commentId", "targetLine"]],
    ["export_comments", ["format"]],
    ["reply_to_comment", ["filePath", "commentId", "text"]],
    ["resolve_comment", ["filePath", "commentId"]],
  ]);
  expect(tools[0]?.inputSchema["properties"]).toMatchObject({
    author: { default: "ai" },
    text: { minLength: 1, maxLength: 10_000 },
    line: { type: "integer", minimum: 1 },
  });
  expect(tools[3]?.inputSchema["properties"]).toMatchObject({
    limit: { default: 100, maximum: 1000 },
  });
});

test("each change of a comment is reported in the seed's words", async () => {
  const { client } = await connect();
  const added = await client.callTool("add_comment", wanted);
  const id = String(contentOf(added)["id"]);
  const marker = String(contentOf(added)["markerId"]);
  expect(textOf(added)).toBe(
    `✅ Comment added successfully\n\nComment ID: ${id}\nGhost Marker ID: ${marker}\nFile: src/auth.js:2\nTag: TODO\n\nThe comment has been anchored to the method 'validatePassword' and will track code changes.`,
  );
  const shown = await client.callTool("get_file_comments", { filePath: "src/auth.js" });
  expect(textOf(shown)).toBe(
    `Comments for src/auth.js\n\n📊 Summary:\n- Total comments: 1\n- TODO: 1\n- Orphaned: 0\n\n---\n\n1. TODO (Line 2) - ${id}\n   "Add rate limiting"\n   Author: claude | Anchored to: validatePassword()`,
  );
  const found = await client.callTool("search_comments", { query: "rate|limit" });
  expect(textOf(found)).toMatch(
    /^Found 1 matching comment:\n\n1\. 📝 src\/auth\.js:2 \(TODO\)\n {3}"TODO: Add rate limiting"\n {3}Author: claude \| Created: [\dTZ:.-]+\n {3}AI: claude-sonnet-4\.5 \(confidence: 0\.95\)$/,
  );
  const target = { sourceFile: "src/auth.js", targetFile: "src/auth.js", targetLine: 3 };
  const moved = await client.callTool("move_comment", { ...target, commentId: id });
  expect(textOf(moved)).toBe(
    `✅ Comment moved successfully\n\nFrom: src/auth.js:2\nTo: src/auth.js:3\n\nComment ID: ${id}\nNew anchor: validatePassword() in AuthService`,
  );
  const known = { filePath: "src/auth.js", commentId: id };
  const edited = await client.callTool("edit_comment", { ...known, text: "new" });
  expect(textOf(edited)).toMatch(/^✅ Comment edited successfully\n\nComment ID: c_\d+\nFile: src/);
  const deleted = await client.callTool("delete_comment", known);
  expect(textOf(deleted)).toBe(`✅ Comment deleted\n\nComment ID: ${id}\nFile: src/auth.js`);
});

test("an agent replies to a comment, resolves it and opens it again", async () => {
  const { client } = await connect();
  const id = await add(client);
  const known = { filePath: "src/auth.js", commentId: id };
  const replied = await client.callTool("reply_to_comment", { ...known, text: "Done in c2" });
  const { replyId } = contentOf(replied);
  expect(textOf(replied)).toBe(
    `✅ Reply added\n\nComment ID: ${id}\nReply ID: ${replyId}\nFile: src/auth.js`,
  );
  await client.callTool("reply_to_comment", { ...known, text: "Good", author: "gpt-4" });
  const resolved = await client.callTool("resolve_comment", known);
  expect(textOf(resolved)).toBe(`✅ Comment is resolved\n\nComment ID: ${id}\nFile: src/auth.js`);
  const shown = async () => {
    const file = await client.callTool("get_file_comments", { filePath: "src/auth.js" });
    return (contentOf(file)["comments"] as readonly object[])[0];
  };
  const replies = [
    { id: replyId, text: "Done in c2", author: "ai" },
    { text: "Good", author: "gpt-4" },
  ];
  expect(await shown()).toMatchObject({ text: wanted.text, state: "resolved", replies });
  const opened = await client.callTool("resolve_comment", { ...known, state: "open" });
  expect(contentOf(opened)).toEqual({ id, filePath: "src/auth.js", state: "open" });
  expect(await shown()).toMatchObject({ state: "open", replies });
});

test("a client may resolve and reply without a confirmation: neither removes anything", async () => {
  const { client } = await connect();
  const tools = await client.listTools();
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint !== false);
  const writing = destructive.filter(({ annotations }) => annotations?.readOnlyHint !== true);
  expect(writing.map(({ name }) => name)).toEqual([
    ...["edit_comment", "delete_comment", "move_comment"],
  ]);
});

describe.each([
  ["edit_comment", { filePath: "src/auth.js", text: "new" }],
  ["reply_to_comment", { filePath: "src/auth.js", text: "new" }],
  ["resolve_comment", { filePath: "src/auth.js" }],
  ["move_comment", { sourceFile: "src/auth.js", targetFile: "src/auth.js", targetLine: 3 }],
  ["delete_comment", { filePath: "src/auth.js" }],
])("the comment of %s", (name, rest) => {
  test("may be named by the beginning of its id, and the result has the whole id", async () => {
    const { client } = await connect();
    const id = await add(client);
    const result = await client.callTool(name, { ...rest, commentId: id.slice(0, 6) });
    expect(textOf(result)).toContain(`Comment ID: ${id}`);
    expect(contentOf(result)).toMatchObject({ id });
    expect(contentOf(result)["warnings"] ?? []).toEqual([]);
  });

  test("is not guessed if several ids begin that way: the model gets them all", async () => {
    const { client, workspace } = await connect();
    const ids = [await add(client), await add(client)];
    const before = workspace.files.get("src/auth.js.comments");
    const result = await client.callTool(name, { ...rest, commentId: ids[0]?.slice(0, 6) });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(
      /^Several comments have IDs that begin so .*Use more characters of the ID\.$/,
    );
    for (const id of ids) expect(textOf(result)).toContain(id);
    expect(workspace.files.get("src/auth.js.comments")).toBe(before);
  });

  test.each(["c_9", "c_1", "gm_1730000000000", "17", ""])(
    "is not named by %j",
    async (commentId) => {
      const { client } = await connect();
      await add(client);
      const result = await client.callTool(name, { ...rest, commentId });
      expect(result).toMatchObject({ isError: true });
    },
  );
});

test("programs receive the new state of a comment, with candidates", async () => {
  const { client, workspace } = await connect();
  const id = await add(client);
  workspace.files.set("src/auth.js", `\n${source.replace("validatePassword", "verifyPassword")}`);
  const shown = await client.callTool("get_file_comments", { filePath: "src/auth.js" });
  expect(contentOf(shown)["comments"]).toMatchObject([
    { id, line: 3, status: "edited", candidates: [] },
  ]);
  workspace.files.set("src/auth.js", "class AuthService {}\n");
  const gone = await client.callTool("get_file_comments", { filePath: "src/auth.js" });
  expect(gone.structuredContent).toMatchObject({ orphanedCount: 1, comments: [{ id, line: 2 }] });
});

test("since 2025-11-25 the model reads errors as results, with the remedy", async () => {
  const { client } = await connect();
  const result = await client.callTool("add_comment", { ...wanted, line: 99 });
  expect(result).toMatchObject({
    isError: true,
    _meta: { "idewire/error": { name: "InvalidLineNumber", code: -32005 } },
  });
  expect(textOf(result)).toContain("Line must be between 1 and 6");
});

test.each([
  ["add_comment", { ...wanted, line: 99 }, -32005],
  ["add_comment", { ...wanted, filePath: "src/none.js" }, -32001],
  ["add_comment", { ...wanted, filePath: "/etc/passwd" }, -32003],
  ["add_comment", { ...wanted, filePath: ".git/config" }, -32004],
  ["edit_comment", { filePath: "src/auth.js", commentId: "c_9", text: "x" }, -32002],
])("in the seed's style %s %j gets the code %i", async (name, args, code) => {
  const { client } = await connect({ errors: "seed" });
  const refusal = await client.callTool(name, args).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RpcError);
  expect(refusal).toMatchObject({ code, data: { suggestion: expect.any(String) } });
});

test("a client of an older revision gets the seed's codes by default", async () => {
  const workspace = createMemoryWorkspace({ "a.js": source });
  const { server } = createCommentServer({ store: new CommentStore({ workspace, reader }) });
  const [agentEnd, serverEnd] = createMemoryTransportPair();
  server.connect(serverEnd, { context: undefined });
  const peer = new Peer(agentEnd);
  const protocolVersion: LegacyRevision = "2025-06-18";
  const clientInfo = { name: "old", version: "1" };
  await peer.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
  peer.notify("notifications/initialized");
  const call = { name: "get_file_comments", arguments: { filePath: "none.js" } };
  await expect(peer.request("tools/call", call)).rejects.toMatchObject({ code: -32001 });
});

test("a subscriber is notified of each changed resource, and of no other", async () => {
  const { client, workspace, changed } = await connect();
  const updated: string[] = [];
  const paths = [
    "all",
    "src/auth.js.comments",
    "tags/TODO",
    "tags/NOTE",
    "orphaned",
    "ai-enriched",
  ];
  for (const path of paths) {
    await client.subscribeResource(`comment://workspace/${path}`, () => updated.push(path));
  }
  const id = await add(client);
  await expect
    .poll(() => [...updated].sort())
    .toEqual(["ai-enriched", "all", paths[1], "tags/TODO"]);
  updated.length = 0;
  await client.callTool("edit_comment", { filePath: "src/auth.js", commentId: id, text: "new" });
  await expect
    .poll(() => [...updated].sort())
    .toEqual(["ai-enriched", "all", paths[1], "tags/TODO"]);
  updated.length = 0;
  workspace.files.set("src/auth.js", "other();\n");
  changed("src/auth.js");
  await expect.poll(() => updated).toContain("orphaned");
  updated.length = 0;
  changed("src/auth.js");
  await add(client, { tag: "NOTE", line: 1 });
  await expect.poll(() => updated).toContain("tags/NOTE");
  expect(updated).not.toContain("orphaned");
});

test("a failed notification neither ends the server nor delays the next one", async () => {
  const { client, workspace, changed } = await connect();
  const updated: string[] = [];
  await client.subscribeResource("comment://workspace/all", () => updated.push("all"));
  workspace.files.set("\ud800.js", "run();\n");
  changed("\ud800.js");
  await add(client);
  await expect.poll(() => updated).toEqual(["all"]);
});

test("a source in a folder called tags has its comments as a resource", async () => {
  const { client, workspace } = await connect();
  workspace.files.set("tags/index.ts", source);
  const id = await add(client, { filePath: "tags/index.ts" });
  for (const path of ["tags/index.ts.comments", "tags/TODO"]) {
    const [contents] = await client.readResource(`comment://workspace/${path}`);
    expect(contents).toMatchObject({ text: expect.stringContaining(id) });
  }
});

test("the list of resources changes with the first comment of a file and with the last", async () => {
  let changes = 0;
  const { client } = await connect({ onList: () => changes++ });
  const id = await add(client);
  await expect.poll(() => changes).toBe(1);
  const second = await add(client);
  for (const commentId of [id, second]) {
    await client.callTool("delete_comment", { filePath: "src/auth.js", commentId });
  }
  await expect.poll(() => changes).toBe(2);
});

test("the five resources have the comments that they name", async () => {
  const { client } = await connect();
  const id = await add(client);
  for (const path of ["all", "src%2Fauth.js.comments", "tags/TODO", "ai-enriched"]) {
    const [contents] = await client.readResource(`comment://workspace/${path}`);
    expect(contents).toMatchObject({
      mimeType: "application/json",
      text: expect.stringContaining(id),
    });
  }
  const [orphaned] = await client.readResource("comment://workspace/orphaned");
  expect(JSON.parse((orphaned as { readonly text: string }).text)).toEqual({
    files: [],
    totalComments: 0,
    errors: [],
  });
  await expect(client.readResource("comment://workspace/tags/OTHER")).rejects.toThrow();
});

test("the four formats have the same comments", async () => {
  const { client } = await connect();
  const ids = [await add(client), await add(client, { line: 3, text: "```\n# no heading" })];
  const options = { includeSourceContext: true, contextLines: 0 };
  const exported = async (format: string) => {
    const { content } = await client.callTool("export_comments", { format, options });
    const [item] = content;
    return item?.type === "resource" ? item.resource : { uri: "" };
  };
  const textIn = async (format: string) =>
    ((await exported(format)) as { readonly text: string }).text;
  const json = JSON.parse(await textIn("json"));
  expect(json.files[0].comments.map(({ id }: { id: string }) => id)).toEqual(ids);
  const lines = (await textIn("jsonl"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ completion }) => completion)).toEqual([wanted.text, "```\n# no heading"]);
  expect(lines[0].prompt).toBe("Analyze this code:\n  validatePassword(p) {\n");
  expect(await textIn("markdown")).toContain("````text\n```\n# no heading\n````");
  const { blob } = (await exported("parquet")) as { readonly blob: string };
  const rows = await parquetReadObjects({
    file: Uint8Array.from(Buffer.from(blob, "base64")).buffer,
  });
  expect(rows.map((row) => row["comment_id"])).toEqual(ids);
  expect(rows[0]).toMatchObject({
    line: 2,
    ai_confidence: 0.95,
    context: "  validatePassword(p) {",
  });
});

test("apparent secrets are omitted from exports, and named", async () => {
  const { client } = await connect();
  const id = await add(client, { text: "key is AKIAABCDEFGHIJKLMNOP" });
  const result = await client.callTool("export_comments", { format: "jsonl" });
  expect(result.structuredContent).toMatchObject({
    totalComments: 0,
    withheld: [{ id, filePath: "src/auth.js" }],
  });
  expect(textOf(result)).toContain(`${id} of src/auth.js`);
});

test("a pattern of exponential time elsewhere takes no time", async () => {
  const { client } = await connect();
  await add(client, { text: "x".repeat(9_000) });
  const before = process.cpuUsage();
  await client.callTool("search_comments", { query: "(x+x+)+y" });
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_500);
});

test("a blank text is refused with a message for the model", async () => {
  const { client } = await connect();
  const result = await client.callTool("add_comment", { ...wanted, text: " " });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain("this one has none");
});

test.each([
  ["(?=x)", "at character 1"],
  ["((((", "missing"],
  ["a".repeat(1_001), "1001 characters are more than 1000"],
])("the pattern %j is refused, with the reason", async (query, reason) => {
  const { client } = await connect();
  const result = await client.callTool("search_comments", { query });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain(reason);
});
