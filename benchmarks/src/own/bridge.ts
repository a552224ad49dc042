import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { McpClient } from "@idewire/core/client";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import { root } from "../checkout.ts";
import type { Figures } from "../row.ts";

const COMMAND = join(root, "packages/cli/bin/idewire.js");
const SELECTION = "idewire://editor/selection";
const SAMPLES = 200;
/** A selection after a rest, as a person makes it. */
const REST_MS = 50;
const TIMEOUT_MS = 20_000;

type Editor = ChildProcessByStdio<Writable, Readable, null>;

/**
 * How long it takes from a line that selects, on the input of `idewire serve`, until a client of
 * `idewire bridge` hears of it, in ms: 99 of 100 selections, of three processes.
 */
export async function bridgeFigure(): Promise<Figures> {
  const home = mkdtempSync(join(tmpdir(), "idewire-bridge-"));
  const cwd = join(home, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "plan.md"), "some words\n".repeat(SAMPLES));
  const options = { cwd, env: { HOME: home, PATH: process.env["PATH"] ?? "" } };
  const args = [COMMAND, "serve", "--script", "--share", "all"];
  const editor = spawn(process.execPath, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  try {
    await untilListening(createInterface({ input: editor.stdout }));
    const transport = spawnStdioTransport(process.execPath, [COMMAND, "bridge"], {
      ...options,
      stderr: "ignore",
    });
    const client = await McpClient.connect(transport, {
      name: "bench",
      version: "1",
      era: "legacy",
    });
    const samples = await listen(client, editor);
    await client.close();
    return { idewire: [samples[Math.ceil(samples.length * 0.99) - 1] ?? Number.NaN] };
  } finally {
    editor.kill();
    await once(editor, "close");
    rmSync(home, { recursive: true });
  }
}

async function untilListening(lines: Interface): Promise<void> {
  for await (const line of lines) if (line.includes('"listening"')) return;
}

/** @returns the times, the shortest first */
async function listen(client: McpClient, editor: Editor): Promise<readonly number[]> {
  let hear: () => void = () => {};
  await client.subscribeResource(SELECTION, () => hear());
  // It answers when the bridge has heard what the editor had selected before.
  await client.readResource(SELECTION);
  const samples: number[] = [];
  for (let line = 0; line < SAMPLES; line += 1) {
    const heard = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("a selection is not heard")), TIMEOUT_MS);
      hear = () => {
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
    const range = { start: { line, character: 0 }, end: { line, character: 4 } };
    const began = performance.now();
    editor.stdin.write(`${JSON.stringify({ do: "select", path: "plan.md", range })}\n`);
    samples.push((await heard) - began);
    await sleep(REST_MS);
  }
  return samples.sort((left, right) => left - right);
}
