import { once } from "node:events";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { linesOfClient } from "../src/calling-client.ts";
import { floodsFor } from "../src/floods-for.ts";
import { MeasuredCommand, MOST_BYTES, MOST_EXIT_MS } from "../src/measured-command.ts";
import { openFixture } from "../src/reference-clients/context.ts";

interface Flood {
  readonly text: string;
  readonly times?: number;
  readonly reads?: boolean;
}

const message = (value: object) => JSON.stringify({ jsonrpc: "2.0", ...value });
const at = { line: 0, character: 0 };
const selected = (text: string) =>
  message({
    method: "selection_changed",
    params: { text, filePath: "/folder/a.ts", selection: { start: at, end: at, isEmpty: false } },
  });
const large = "x".repeat(8 * 2 ** 20);

const floods: readonly (readonly [what: string, flood: Flood])[] = [
  ["selections", { text: selected("hi"), reads: true }],
  ["selections of 8 MiB", { text: selected(large), reads: true }],
  ["pings whose answers it does not read", { text: message({ id: 1, method: "ping" }) }],
  ["pings", { text: message({ id: 1, method: "ping" }), reads: true }],
  [
    "changes of its tools, which it does not list",
    { text: message({ method: "notifications/tools/list_changed" }) },
  ],
  [
    "changes of its tools that it answers",
    { text: message({ method: "notifications/tools/list_changed" }), reads: true },
  ],
  ["changes of its diagnostics", { text: message({ method: "diagnostics_changed" }) }],
  ["mentions of 8 MiB", { text: message({ method: "at_mentioned", params: { filePath: large } }) }],
  ["answers without a request", { text: message({ id: 99_999, result: { a: large } }) }],
  ["malformed JSON", { text: "{nonsense", reads: true }],
];

/** An editor in a separate thread, with its discovery file. */
async function openEditor(flood: Flood) {
  const worker = new Worker(new URL("../src/flooding-editor.mjs", import.meta.url), {
    workerData: { times: Infinity, ...flood },
  });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  const fixture = openFixture();
  fixture.lock(port, {
    ...{ pid: process.pid, workspaceFolders: [fixture.workspace], ideName: "Flood" },
    ...{ transport: "ws", authToken: "flood" },
  });
  return { fixture, begun: once(worker, "message") };
}

const subscriptions = ["selection", "documents", "diagnostics"].map((name) => ({
  method: "resources/subscribe",
  params: { uri: `idewire://editor/${name}` },
}));

/** Runs a bridge whose client subscribes to everything and calls a tool; returns its peak memory. */
async function run(flood: Flood, isRead: boolean): Promise<readonly [MeasuredCommand, number]> {
  const { fixture, begun } = await openEditor(flood);
  const command = new MeasuredCommand(["bridge", fixture.workspace], isRead, fixture);
  await bridged(command);
  command.child.stdin?.write(linesOfClient(...subscriptions));
  return [command, await command.settled(begun)];
}

async function bridged({ child }: MeasuredCommand): Promise<void> {
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    if (line.includes("Bridge to")) break;
  }
  child.stderr?.resume();
}

test.each([
  ["does not read", false, floodsFor(floods, 0, 2)],
  ["reads", true, floodsFor(floods, 1, 2)],
] as const)(
  "an editor that floods a bridge whose client %s costs at most four times the limit and 50 MB, and a signal ends it",
  { skip: process.platform !== "linux", timeout: 900_000 },
  async (_, isRead, floods) => {
    const [, without] = await run({ text: "", times: 0, reads: true }, isRead);
    for (const [what, flood] of floods) {
      const [command, peak] = await run(flood, isRead);
      expect(peak - without, what).toBeLessThan(MOST_BYTES);
      expect(await command.interrupt(), what).toBeLessThan(MOST_EXIT_MS);
    }
  },
);
