import { setTimeout as sleep } from "node:timers/promises";
import { McpClient } from "@idewire/core/client";
import { spawnStdioTransport } from "@idewire/node-server/stdio";
import type { Figures } from "../row.ts";
import { COMMAND, type Editor, serveFolder } from "./served-folder.ts";

const SELECTION = "idewire://editor/selection";
const SAMPLES = 200;
/** A pause between selections, as of a person. */
const REST_MS = 50;
const TIMEOUT_MS = 20_000;

/**
 * The time from a `select` line on the input of `idewire serve` to the notification of a client of `idewire
 * bridge`, in ms: the 99th percentile of three processes.
 */
export async function bridgeFigure(): Promise<Figures> {
  const served = await serveFolder("some words\n".repeat(SAMPLES));
  try {
    const transport = spawnStdioTransport(process.execPath, [COMMAND, "bridge"], {
      ...served.options,
      stderr: "ignore",
    });
    const client = await McpClient.connect(transport, {
      name: "bench",
      version: "1",
      era: "legacy",
    });
    const samples = await listen(client, served.editor);
    await client.close();
    return { idewire: [samples[Math.ceil(samples.length * 0.99) - 1] ?? Number.NaN] };
  } finally {
    await served.close();
  }
}

/** @returns the times in ascending order */
async function listen(client: McpClient, editor: Editor): Promise<readonly number[]> {
  let onUpdate: () => void = () => {};
  await client.subscribeResource(SELECTION, () => onUpdate());
  // The answer arrives only after the bridge has received the editor's initial selection.
  await client.readResource(SELECTION);
  const samples: number[] = [];
  for (let line = 0; line < SAMPLES; line += 1) {
    const notified = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("a selection was not notified")), TIMEOUT_MS);
      onUpdate = () => {
        clearTimeout(timer);
        resolve(performance.now());
      };
    });
    const range = { start: { line, character: 0 }, end: { line, character: 4 } };
    const began = performance.now();
    editor.stdin.write(`${JSON.stringify({ do: "select", path: "plan.md", range })}\n`);
    samples.push((await notified) - began);
    await sleep(REST_MS);
  }
  return samples.sort((left, right) => left - right);
}
