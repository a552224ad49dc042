import { expect, test } from "vitest";
import { add, connect, contentOf, source, textOf, wanted } from "./testing/connect.ts";

test("structured content alone is sufficient for a correction or a new id", async () => {
  const { client, workspace } = await connect();
  const quote = "  validatePassword(p) {";
  const added = await client.callTool("add_comment", { ...wanted, line: 4, quote });
  expect(added.structuredContent).toMatchObject({
    line: 2,
    warnings: ["The quoted text is on line 2, not on line 4: the comment was added there."],
    anchor: "validatePassword",
  });
  const plain = await client.callTool("add_comment", wanted);
  expect(plain.structuredContent).toMatchObject({ warnings: [] });
  const commentId = String(contentOf(added)["id"]);
  const move = { sourceFile: "src/auth.js", targetFile: "src/auth.js", commentId };
  const moved = await client.callTool("move_comment", { ...move, targetLine: 9, quote });
  const note = "The quoted text is on line 2, not on line 9: the comment was added there.";
  expect(moved.structuredContent).toMatchObject({ line: 2, warnings: [note] });
  expect(textOf(moved)).toContain(note);
  workspace.files.set("b.js", source);
  const text = workspace.files.get("src/auth.js.comments") ?? "";
  workspace.files.set("b.js.comments", text.replaceAll("src/auth.js", "b.js"));
  const across = { ...move, targetFile: "b.js", targetLine: 1 };
  const renumbered = await client.callTool("move_comment", across);
  expect(renumbered.structuredContent).toMatchObject({
    from: { filePath: "src/auth.js", line: 2 },
    warnings: [`${commentId} already exists in that file`],
  });
});

test("replies and resolved states are in the results, as text and for programs", async () => {
  const { client, workspace } = await connect();
  await add(client);
  const file = JSON.parse(workspace.files.get("src/auth.js.comments") ?? "");
  const reply = { id: "r_1", text: "Not now", author: "bob", created: "2026-01-01T00:00:00.000Z" };
  Object.assign(file.comments[0], { replies: [reply], status: "wontfix" });
  workspace.files.set("src/auth.js.comments", JSON.stringify(file));
  const shown = await client.callTool("get_file_comments", { filePath: "src/auth.js" });
  const aiMeta = { model: "claude-sonnet-4.5", confidence: 0.95, reasoning: "best practice" };
  const known = { created: expect.any(String), replies: [reply], state: "wontfix", aiMeta };
  expect(shown.structuredContent).toMatchObject({ comments: [known], warnings: [] });
  expect(textOf(shown)).toContain("\n   bob: Not now");
  const found = await client.callTool("search_comments", { query: "not now" });
  expect(found.structuredContent).toMatchObject({ results: [known] });
  expect(textOf(found)).toContain("\n   bob: Not now");
});

test("an export is in the structured content, and not twice in the text", async () => {
  const { client } = await connect();
  await add(client);
  for (const format of ["json", "markdown", "jsonl"]) {
    const { content, structuredContent } = await client.callTool("export_comments", { format });
    expect(content).toMatchObject([
      { type: "resource", resource: { text: contentOf({ structuredContent })["text"] } },
    ]);
  }
  const parquet = await client.callTool("export_comments", { format: "parquet" });
  const blob = contentOf(parquet)["base64"];
  expect(parquet.content).toMatchObject([{ type: "resource", resource: { blob } }]);
  expect(String(blob)).toMatch(/^UEFS/);
});

test("an export names the comments files that it leaves out", async () => {
  const { client, workspace } = await connect();
  workspace.files.set("b.js.comments", "{broken");
  await add(client);
  const result = await client.callTool("export_comments", { format: "json" });
  const message = "Comment file is corrupted";
  expect(result.structuredContent).toMatchObject({
    totalComments: 1,
    errors: [{ filePath: "b.js", message, line: 1 }],
  });
  expect(textOf(result)).toContain(`- ${message} (filePath: "b.js"`);
  const one = await client.callTool("export_comments", { format: "json", filePath: "src/auth.js" });
  expect(one.structuredContent).toMatchObject({ errors: [] });
});
