import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { McpServer } from "@idewire/core/server";
import { openFolderEndpoint } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import { linesOfClient } from "../src/calling-client.ts";
import { floodsFor } from "../src/floods-for.ts";
import { LOG_BYTES, MeasuredCommand, MOST_BYTES, MOST_EXIT_MS } from "../src/measured-command.ts";
import { openFixture } from "../src/reference-clients/context.ts";

const EVENTS = "text/event-stream";
const message = (value: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...value })}\n\n`;

/** The repeated output of a server. */
const allFloods = [
  ["an answer without end", "x".repeat(20_000), "application/json"],
  ["an event without end", "x".repeat(20_000), EVENTS],
  ["an event of lines without end", "data: abc\n", EVENTS],
  ["pings", message({ id: 1, method: "ping" }), EVENTS],
  [
    "log messages",
    message({ method: "notifications/message", params: { level: "info", data: "hi" } }),
    EVENTS,
  ],
  ["messages that cannot be read", "data: {nonsense\n\n", EVENTS],
] as const;

interface FloodOptions {
  readonly encoding?: string;
  readonly listens?: boolean;
  readonly method?: string;
}

/** A server in a separate thread. */
async function serve(text: string, type: string, options: FloodOptions) {
  const worker = new Worker(new URL("../src/flooding-server.mjs", import.meta.url), {
    workerData: {
      text: text.repeat(Math.ceil(20_000 / text.length)),
      ...{ type, times: Infinity },
      ...options,
    },
  });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  return { url: `http://127.0.0.1:${port}/mcp`, begun: once(worker, "message") };
}

type Floods = readonly (typeof allFloods)[number][];

/** Runs a command against floods. */
async function expectModest(floods: Floods, args: readonly string[], options: FloodOptions) {
  const idle = await serve("\n", EVENTS, {});
  const without = await new MeasuredCommand(["mcp", "tools", idle.url], true).settled();
  await expectGrowth(floods, ["mcp", ...args], { ...options, most: without + MOST_BYTES });
}

async function expectGrowth(
  floods: Floods,
  args: readonly string[],
  { most, ...options }: FloodOptions & { readonly most: number },
) {
  for (const [what, text, type] of floods) {
    const { url, begun } = await serve(text, type, options);
    const run = new MeasuredCommand([...args, url], true);
    expect(await run.settled(begun), what).toBeLessThan(most);
    expect(await run.interrupt(), what).toBeLessThan(MOST_EXIT_MS);
  }
}

const options = { skip: process.platform !== "linux", timeout: 600_000 };

const encodings = [
  ["gzip", "legacy"],
  ["deflate", "modern"],
  ["br", "modern"],
] as const;

test.each(
  encodings.map((row, at) => [...row, floodsFor(allFloods, at, encodings.length)] as const),
)(
  "a flood that is compressed costs at most four times the limit and 50 MB, and a signal ends it: %s, %s",
  options,
  async (encoding, era, floods) => {
    await expectModest(floods, ["call", "a", "--era", era], { encoding });
  },
);

const readers = [
  ["call a", "legacy"],
  ["listen", "legacy"],
  ["listen", "modern"],
] as const;

test.each(readers.map((row, at) => [...row, floodsFor(allFloods, at, readers.length)] as const))(
  "several streams that are flooded at once cost no more than one: %s, %s",
  options,
  async (words, era, floods) => {
    await expectModest(floods, [...words.split(" "), "--era", era], { listens: true });
  },
);

const inspections: readonly (readonly [string, string, FloodOptions])[] = [
  ["an answer", "legacy", { method: "tools/list" }],
  ["an answer that is compressed", "modern", { method: "tools/list", encoding: "gzip" }],
  ["several streams", "legacy", { method: "tools/list", listens: true }],
  ["several streams", "modern", { method: "tools/list" }],
];

test.each(
  inspections.map((row, at) => [...row, floodsFor(allFloods, at, inspections.length)] as const),
)(
  "an inspection costs its log, four times the limit and 50 MB, and a signal ends it: %s, %s",
  options,
  async (_, era, options, floods) => {
    const args = ["inspect", "--no-web", "--era", era];
    const idle = await serve("\n", EVENTS, {});
    const quiet = new MeasuredCommand([...args, idle.url], true);
    const without = await quiet.settled(Promise.resolve());
    await quiet.interrupt();
    const most = without + LOG_BYTES + MOST_BYTES;
    await expectGrowth(floods, args, { ...options, most });
  },
);

/** The arguments of commands that connect their client to a server, and their fixtures. */
const connections = {
  "mcp connect": (url: string) => ({ args: ["mcp", "connect", url], fixture: openFixture() }),
  "vault-tools": openVault,
};

/** A vault whose tools are at the given address. */
async function openVault(url: string) {
  const fixture = openFixture();
  const { record, close } = await openFolderEndpoint({
    ...{ server: new McpServer({ name: "vault", version: "1" }), context: undefined },
    ...{ folder: fixture.workspace, env: fixture.env },
  });
  onTestFinished(close);
  const published = JSON.parse(readFileSync(record, "utf8")) as object;
  writeFileSync(record, JSON.stringify({ ...published, url }));
  return { args: ["vault-tools", "--cwd", fixture.workspace], fixture };
}

test.each([
  ["mcp connect", "a few", 100],
  ["mcp connect", "8 Mi", 8 * 2 ** 20],
  ["vault-tools", "a few", 100],
  ["vault-tools", "8 Mi", 8 * 2 ** 20],
] as const)(
  "while the client of %s does not read, log messages of %s characters wait at their server",
  options,
  async (command, _, length) => {
    const start = async (url: string) => {
      const { args, fixture } = await connections[command](url);
      return new MeasuredCommand(args, false, fixture);
    };
    const params = { level: "info", data: "x".repeat(length) };
    const { url, begun } = await serve(
      message({ method: "notifications/message", params }),
      EVENTS,
      {},
    );
    const idle = await start(url);
    const without = await idle.settled(Promise.resolve());
    await idle.interrupt();
    const run = await start(url);
    run.child.stdin?.write(linesOfClient());
    expect((await run.settled(begun)) - without).toBeLessThan(MOST_BYTES);
    expect(await run.interrupt()).toBeLessThan(MOST_EXIT_MS);
  },
);
