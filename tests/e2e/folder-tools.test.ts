import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  claudeCode,
  createIdeServer,
  type Dialect,
  jetBrains,
  type PosixPath,
  type ShareLevel,
} from "@idewire/core";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { openFolderHost } from "idewire/folder-host";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";

/** A folder as an editor, and a connected agent. */
async function openFolder(dialect: Dialect = claudeCode, level: ShareLevel = "all") {
  const base = temporaryFolder("idewire-tools-");
  const folder = join(base, "project");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src", "main.ts"), "one();\ntwo(1);\nthree();\n");
  writeFileSync(join(base, "outside.ts"), "secret();\n");
  symlinkSync(join(base, "outside.ts"), join(folder, "link.ts"));
  writeFileSync(join(folder, "image.bin"), Buffer.from([0, 1, 2, 255]));
  const host = await openFolderHost(folder);
  const server = createIdeServer({ host, dialect, share: { level } });
  const [editor, agentEnd] = createMemoryTransportPair();
  server.open(editor);
  const agent = await McpClient.connect(agentEnd, { name: "agent", version: "1", era: "legacy" });
  onTestFinished(async () => {
    server.close();
    await host.close();
  });
  const text = async (name: string, args: Record<string, unknown> = {}) => {
    const { content } = await agent.callTool(name, args);
    return String(content[0]?.["text" as never]);
  };
  const json = async (name: string, args?: Record<string, unknown>) =>
    JSON.parse(await text(name, args)) as object;
  const file = join(folder, "src", "main.ts");
  return { host, agent, text, json, folder, file, path: file as PosixPath };
}

test("openFile selects text in a real file, which the selection tools then return", async () => {
  const { text, json, file } = await openFolder();
  expect(await text("openFile", { filePath: file, startText: "two", endText: ")" })).toBe(
    `Opened file: ${file}`,
  );
  expect(await json("getCurrentSelection")).toEqual({
    success: true,
    text: "two(1)",
    filePath: file,
    selection: { start: { line: 1, character: 0 }, end: { line: 1, character: 6 } },
  });
  // A tool that the client itself no longer calls (docs/clients/claude-code.md, Tools).
  expect(await json("getOpenEditors")).toMatchObject({
    tabs: [{ uri: `file://${file}`, isActive: true, languageId: "typescript", isDirty: false }],
  });
});

test("unsaved text is reported, and saved when an agent asks", async () => {
  const { host, json, file, path } = await openFolder();
  await host.edit(path, "changed();\n");
  expect(await json("checkDocumentDirty", { filePath: file })).toMatchObject({ isDirty: true });
  expect(await json("saveDocument", { filePath: file })).toMatchObject({ saved: true });
  expect(readFileSync(file, "utf8")).toBe("changed();\n");
  expect(await json("checkDocumentDirty", { filePath: file })).toMatchObject({ isDirty: false });
});

test("at the level of the selection unsaved text stays where it is", async () => {
  const { host, json, file, path } = await openFolder(claudeCode, "selection");
  await host.edit(path, "changed();\n");
  expect(await json("getOpenEditors")).toEqual({ tabs: [] });
  expect(await json("saveDocument", { filePath: file })).toMatchObject({ success: false });
  expect(readFileSync(file, "utf8")).toContain("one();");
});

test("every profile refuses to open an inaccessible file, with a message", async () => {
  const { json, folder } = await openFolder();
  for (const name of ["link.ts", "image.bin", "none.ts", "src", "../outside.ts", "a\0b"]) {
    const answer = await json("openFile", { filePath: join(folder, "src", "..", name) });
    expect(answer, name).toEqual({ success: false, message: expect.stringMatching(/./) });
  }
  const project = await openFolder(jetBrains);
  for (const file_path of ["link.ts", "image.bin", "none.ts", "src", "../outside.ts", "a\0b"]) {
    const answer = await project.agent.callTool("open_file", { file_path });
    expect(answer.isError, file_path).toBe(true);
  }
  expect(project.host.documents()).toEqual([]);
});

test("the cursor of a real document is set and reported, within its text", async () => {
  const { agent, text, file } = await openFolder(jetBrains);
  expect(await text("set_cursor_position", { file_path: "src/main.ts", line: 2, column: 3 })).toBe(
    "OK",
  );
  expect(await text("get_cursor_position")).toBe(
    JSON.stringify({ file_path: file, line: 2, column: 3 }),
  );
  const beyond = await agent.callTool("set_cursor_position", { line: 999, column: 0 });
  expect(beyond).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching("999") }],
  });
});
