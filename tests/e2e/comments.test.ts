import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { McpClient } from "@idewire/core/client";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { readDocument } from "@idewire/paired-comments";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../src/reference-clients/transcript.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const futureId = "c_999999999999000";
const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));

function makeWorkspace(): string {
  const folder = temporaryFolder("comments-");
  const lines = Array.from({ length: 40 }, (_, index) => `run${index}();`);
  writeFileSync(join(folder, "a.js"), `${lines.join("\n")}\n`);
  return folder;
}

async function connect(folder: string): Promise<McpClient> {
  const args = [bin, "comments", "serve", folder];
  const transport = spawnStdioTransport(process.execPath, args, { cwd: tmpdir() });
  const client = await McpClient.connect(transport, { name: "agent", version: "1", era: "legacy" });
  onTestFinished(() => client.close());
  return client;
}

async function add(client: McpClient, line: number, filePath = "a.js"): Promise<string> {
  const args = { filePath, line, text: `comment ${line}`, tag: "NOTE" };
  return change(client, "add_comment", args);
}

/** Returns the id of the changed comment. */
async function change(client: McpClient, tool: string, args: object): Promise<string> {
  for (;;) {
    const result = await client.callTool(tool, { ...args });
    const content = Object(result.structuredContent) as { readonly id?: string };
    if (content.id !== undefined) return content.id;
    // On a busy machine, another server may hold the lock for longer than the limit.
    expect(JSON.stringify(result)).toContain("try again when it is done");
  }
}

function idsIn(folder: string): readonly string[] {
  const result = readDocument(readFileSync(join(folder, "a.js.comments"), "utf8"), "a.js", 1);
  if (!result.ok) throw new Error(result.damage.parseError);
  return result.document.comments.map(({ id }) => id);
}

test("two servers of one folder lose no comment of either, and assign no id twice", async () => {
  const folder = makeWorkspace();
  const [left, right] = await Promise.all([connect(folder), connect(folder)]);
  const added = await Promise.all(
    Array.from({ length: 40 }, (_, index) => add(index % 2 === 0 ? left : right, index + 1)),
  );
  expect(new Set(added).size).toBe(40);
  expect([...idsIn(folder)].sort()).toEqual([...added].sort());
});

test("servers that comment on files of one folder at once assign no id twice, nor that of a deleted comment", async () => {
  const folder = makeWorkspace();
  const clients = await Promise.all([connect(folder), connect(folder), connect(folder)]);
  const [first] = clients;
  await add(first, 1);
  const file = join(folder, "a.js.comments");
  // Ids of the far future, as a wrong clock produces them.
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(idsIn(folder)[0] ?? "", futureId));
  for (const index of clients.keys()) writeFileSync(join(folder, `${index}.js`), "run();\n");
  const act = async (client: McpClient, index: number) => {
    const ids: string[] = [];
    for (let round = 0; round < 5; round++) {
      const commentId = await add(client, index + 2);
      ids.push(commentId, await add(client, 1, `${index}.js`));
      await change(client, "delete_comment", { filePath: "a.js", commentId });
    }
    return ids;
  };
  const given = (await Promise.all(clients.map(act))).flat();
  expect(new Set([...given, futureId]).size).toBe(31);
  expect(idsIn(folder)).toEqual([futureId]);
});

test("a server that is killed at any moment leaves an intact file with every comment that it confirmed", async () => {
  const folder = makeWorkspace();
  const confirmedIds: string[] = [];
  for (const delayMs of [5, 20, 60, 120]) {
    const child = spawn(process.execPath, [bin, "comments", "serve"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("structuredContent")) setTimeout(() => child.kill("SIGKILL"), delayMs);
    });
    send({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "agent", version: "1" },
      },
    });
    send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (let line = 1; line <= 30; line++) {
      const args = { filePath: "a.js", line, text: "x", tag: "NOTE" };
      const params = { name: "add_comment", arguments: args };
      send({ jsonrpc: "2.0", id: line, method: "tools/call", params });
    }
    await ended;
    for (const [, id] of text.matchAll(/"structuredContent":\{"id":"(c_\d+)"/g))
      confirmedIds.push(id ?? "");
  }
  expect(confirmedIds.length).toBeGreaterThan(0);
  const survivor = await connect(folder);
  const last = await add(survivor, 1);
  expect(idsIn(folder)).toEqual(expect.arrayContaining([...confirmedIds, last]));
});

test("Ctrl-C ends a command at once with 130, and the next one takes its lock", async () => {
  const folder = makeWorkspace();
  const long = Array.from(
    { length: 30_000 },
    (_, index) => `function f${index}() { run(${index}); }`,
  );
  writeFileSync(join(folder, "long.js"), long.join("\n"));
  const start = (place: string) =>
    spawn(process.execPath, [bin, "comments", "add", place, "why?"], { cwd: folder });
  const stopped = start("long.js:100");
  await until("a lock", () => existsSync(join(folder, "long.js.comments.lock")));
  stopped.kill("SIGINT");
  expect(await once(stopped, "exit")).toEqual([null, "SIGINT"]);
  expect(existsSync(join(folder, "long.js.comments"))).toBe(false);
  writeFileSync(join(folder, "long.js"), "run();\n");
  expect(await once(start("long.js:1"), "exit")).toEqual([0, null]);
});

test("the command does the same as the tools, and check fails on an orphan", async () => {
  const folder = makeWorkspace();
  const run = async (...words: readonly string[]) => {
    const done = promisify(execFile)(process.execPath, [bin, "comments", ...words], {
      cwd: folder,
      env: { ...process.env, USER: "ann" },
    });
    return done.then(
      ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
    );
  };
  const added = JSON.parse((await run("add", "a.js:7", "TODO: why?", "--json")).stdout);
  expect(added).toMatchObject({ filePath: "a.js", line: 7 });
  writeFileSync(join(folder, "a.js"), `// new\n${readFileSync(join(folder, "a.js"), "utf8")}`);
  expect((await run("show", "a.js")).stdout).toBe(
    `a.js:8 TODO [moved] ${added.id} ann: TODO: why?\n`,
  );
  expect((await run("check")).code).toBe(0);
  expect((await run("search", "WHY", "--json")).stdout).toContain(added.id);
  writeFileSync(join(folder, "a.js"), "other();\n");
  const checked = await run("check");
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain("[orphaned]");
  expect((await run("move", "a.js", added.id, "a.js:1")).code).toBe(0);
  expect((await run("check")).code).toBe(0);
  expect((await run("delete", "a.js", added.id)).code).toBe(0);
  expect(existsSync(join(folder, "a.js.comments"))).toBe(false);
  const refused = await run("show", "../a.js");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("Invalid file path") });
});
