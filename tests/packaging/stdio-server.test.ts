import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { removeFolder } from "../src/remove-folder.ts";
import { installable, npmInstall } from "./installed.ts";

const MAX_PACKAGES = 13;
const MAX_BYTES = 15e6;

const server = `
import { McpServer } from "@idewire/core/server";
import { serveStdio } from "@idewire/node-server/stdio";
serveStdio(new McpServer({ name: "weather", version: "1.0.0" }));
`;

const { packed, tarballs } = inject("packaging");
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idewire-stdio-"));
  const names = ["@idewire/core", "@idewire/node-server"];
  await npmInstall(folder, installable(names, packed, tarballs));
});
afterAll(() => removeFolder(folder));

describe("a server over stdio, in an empty folder", () => {
  test(`installs at most ${MAX_PACKAGES} packages and ${MAX_BYTES / 1e6} MB`, async () => {
    const lock = await readFile(join(folder, "node_modules/.package-lock.json"), "utf8");
    const { packages } = JSON.parse(lock) as { packages: Record<string, unknown> };
    const names = Object.keys(packages);
    expect(names.length, names.join("\n")).toBeLessThanOrEqual(MAX_PACKAGES);
    expect(await bytesOf(join(folder, "node_modules"))).toBeLessThanOrEqual(MAX_BYTES);
  });

  test("answers a client", async () => {
    await writeFile(join(folder, "server.js"), server);
    const { stdin, stdout } = spawn(process.execPath, ["server.js"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const clientInfo = { name: "client", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    expect(JSON.parse(await text(stdout))).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "weather" } },
    });
  });
});

test("grammars are part of paired-comments alone: their files and their licences", () => {
  const grammars = packed.flatMap(({ name, files }) =>
    files.flatMap(({ path }) => (/grammars?\/|\.wasm$/.test(path) ? [`${name}/${path}`] : [])),
  );
  const shipped = /^@idewire\/paired-comments\/dist\/grammars\/([\w-]+\.wasm|LICENSE-[\w-]+\.txt)$/;
  expect(grammars.filter((path) => !shipped.test(path))).toEqual([]);
  expect(grammars.filter((path) => path.includes("LICENSE"))).toHaveLength(2);
});

async function bytesOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
