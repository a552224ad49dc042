import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpClient } from "@idewire/core/client";
import type { Params } from "@idewire/core/rpc";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { root } from "../checkout.ts";
import { cpuOf, memoryOf, startPeak } from "./server-memory.ts";

const COMMAND = join(root, "packages/cli/bin/idewire.js");
const rounds = 20;

/** The workloads of a server, in order. */
const servers: readonly (readonly Work[])[] = [
  [editLongFile],
  [searchAll],
  [searchAll, editLongFile, searchAll],
  [readAll],
];

/** The agent's end of the connection. */
interface Session {
  readonly folder: string;
  readonly call: (tool: string, given: Params) => Promise<unknown>;
  readonly read: (uri: string) => Promise<unknown>;
}

/** A workload: performed once, then again in each round. */
type Work = (session: Session, round: number) => Promise<unknown>;

/** The response times of `idewire comments serve` for an agent, and the memory of its process. */
export async function measureServer(folder: string): Promise<void> {
  for (const works of servers) {
    console.log(`server: ${works.map(({ name }) => name).join(", ")}`);
    const args = [COMMAND, "comments", "serve", folder];
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    const info = { name: "idewire-bench", version: "1.0.0" };
    const transport = createStdioTransport(child.stdout, child.stdin, {
      maxFrameBytes: 1 << 27,
    });
    const client = await McpClient.connect(transport, { ...info, era: "legacy" });
    const options = { timeoutMs: 60_000 };
    const session: Session = {
      folder,
      call: (tool, given) => client.callTool(tool, given, options),
      read: (uri) => client.readResource(uri, options),
    };
    for (const work of works) await measure(work, session, child.pid ?? 0);
    client.close();
    await once(child, "exit");
  }
}

async function measure(work: Work, session: Session, pid: number): Promise<void> {
  const took: number[] = [];
  const held: number[] = [];
  startPeak(pid);
  let used = cpuOf(pid);
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    await work(session, round);
    took.push(performance.now() - start);
    held.push(memoryOf(pid).megabytes);
    if (round === 0) used = cpuOf(pid);
  }
  const cpu = ((cpuOf(pid) - used) / rounds).toFixed(0);
  const [first = 0, ...later] = took;
  const { megabytes, peak } = memoryOf(pid);
  const times = `${first.toFixed(0).padStart(6)} ms first, ${median(later).toFixed(0).padStart(4)} later (${cpu} of CPU)`;
  const memory = `RSS ${median(held).toFixed(0)} MB, ${megabytes.toFixed(0)} at the end, ${peak.toFixed(0)} at most`;
  console.log(`${times}; ${memory}  ${work.name}`);
}

async function editLongFile({ folder, call }: Session, round: number): Promise<void> {
  const path = join(folder, "long.ts");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `// line ${round}\n${text}`);
  await call("get_file_comments", { filePath: "long.ts" });
}

function searchAll({ call }: Session): Promise<unknown> {
  return call("search_comments", { query: "number (1|7)+ of" });
}

function readAll({ read }: Session): Promise<unknown> {
  return read("comment://workspace/all");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
