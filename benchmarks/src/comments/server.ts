import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpClient, type Params } from "@idewire/core";
import { createStdioTransport } from "@idewire/node-server";
import { root } from "../checkout.ts";

const COMMAND = join(root, "packages/node-server/bin/idewire.js");
const rounds = 20;

/** What `idewire comments serve` takes, as an agent sees it, and what its process has grown to. */
export async function measureServer(folder: string): Promise<void> {
  for (const [what, work] of works) {
    const args = [COMMAND, "comments", "serve", folder];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const info = { name: "idewire-bench", version: "1.0.0" };
    const transport = createStdioTransport(child.stdout, child.stdin);
    const client = await McpClient.connect(transport, { info });
    const took: number[] = [];
    const call = async (tool: string, given: Params) => {
      const start = performance.now();
      await client.callTool(tool, given, { timeoutMs: 60_000 });
      took.push(performance.now() - start);
    };
    await work(folder, call);
    const [first = 0, ...later] = took;
    const median = later.sort((a, b) => a - b)[later.length >> 1] ?? 0;
    console.log(`${first.toFixed(1).padStart(9)} ms  ${what}: first`);
    console.log(`${median.toFixed(1).padStart(9)} ms  later`);
    reportMemory(child.pid);
    client.close();
    await once(child, "exit");
  }
}

type CallTool = (tool: string, given: Params) => Promise<void>;

const works: readonly (readonly [string, (folder: string, call: CallTool) => Promise<void>])[] = [
  ["get_file_comments of the long file, after an edit", editLongFile],
  ["search_comments", search],
];

async function editLongFile(folder: string, call: CallTool): Promise<void> {
  const path = join(folder, "long.ts");
  const text = readFileSync(path, "utf8");
  for (let round = 0; round <= rounds; round++) {
    writeFileSync(path, `${"// line\n".repeat(round + 1)}${text}`);
    await call("get_file_comments", { filePath: "long.ts" });
  }
  writeFileSync(path, text);
}

async function search(_: string, call: CallTool): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    await call("search_comments", { query: "number (1|7)+ of" });
  }
}

/** Of another process, which only Linux tells. */
function reportMemory(pid: number | undefined): void {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return;
  const text = readFileSync(status, "utf8");
  const megabytes = (key: string) =>
    ((Number(new RegExp(`${key}:\\s+(\\d+)`).exec(text)?.[1]) * 1024) / 1e6).toFixed(1);
  console.log(
    `${megabytes("VmRSS").padStart(9)} MB  RSS of the server, ${megabytes("VmHWM")} at most`,
  );
}
