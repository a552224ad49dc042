import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../src/bundled-program.ts";
import { connectOverHttp } from "../src/connect-over-http.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { MOST_EXIT_MS } from "../src/measured-command.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  events,
  json,
  result,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
const LIMIT_MB = 16;

interface Flooded {
  readonly server: ScriptedHttpServer;
  /** The client's answers: the maximum in flight, and the total. */
  readonly answers: { most: number; all: number };
}

/** A server that answers a call with an endlessly repeated text, and delays its responses to the client's answers. */
async function flood(text: string, answerAfterMs = 0): Promise<Flooded> {
  const answers = { most: 0, all: 0 };
  let open = 0;
  const server = await new ScriptedHttpServer(
    withSessions(({ method, message }, response) => {
      if (message.method === "tools/list") {
        return json(response, result(message.id, { tools: [{ name: "a", inputSchema: {} }] }));
      }
      if (message.method === "tools/call") {
        const stream = events(response);
        const more = () => {
          while (!stream.destroyed && stream.write(text));
        };
        stream.on("drain", more);
        return more();
      }
      if (method !== "POST" || message.method !== undefined) return false;
      answers.all += 1;
      open += 1;
      answers.most = Math.max(answers.most, open);
      response.on("close", () => {
        open -= 1;
      });
      if (answerAfterMs === Infinity) return;
      setTimeout(() => response.writeHead(202).end(), answerAfterMs);
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, answers };
}

const message = (value: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...value })}\n\n`;
const requestFloods = [
  ["pings", message({ id: 1, method: "ping" })],
  ["requests of an unknown method", message({ id: "x", method: "custom/unknown" })],
  ["questions", message({ id: 2, method: "elicitation/create", params: { message: "?" } })],
] as const;

test.each(requestFloods)(
  "a flood of %s is answered a few at a time, then ends the connection",
  async (_, text) => {
    for (const answerAfterMs of [0, Infinity]) {
      const { server, answers } = await flood(text.repeat(100), answerAfterMs);
      const client = await connectOverHttp(server, { era: "legacy" });
      await expect(client.callTool("a")).rejects.toBeInstanceOf(Error);
      expect(answers.most).toBeLessThanOrEqual(8);
      expect(answers.all).toBeLessThan(1_000);
      await client.close();
    }
  },
);

test("a few hundred pings are answered at a bounded rate, and the call goes on", async () => {
  let seen = 0;
  const server = await new ScriptedHttpServer(
    withSessions(({ method, message: { id, method: asks } }, response) => {
      if (asks === "tools/call") {
        const stream = events(response);
        for (let ping = 0; ping < 500; ping += 1)
          stream.write(message({ id: ping, method: "ping" }));
        const timer = setInterval(() => {
          if (seen < 500) return;
          clearInterval(timer);
          stream.end(message({ id, result: { content: [] } }));
        }, 20);
        return;
      }
      if (method !== "POST" || asks !== undefined) return false;
      seen += 1;
      return response.writeHead(202).end();
    }),
  ).listen();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const client = await connectOverHttp(server, { era: "legacy" });
  const startedMs = performance.now();
  expect(await client.callTool("a")).toMatchObject({ content: [] });
  expect(performance.now() - startedMs).toBeGreaterThan(1_500);
  await client.close();
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s ends a command within two seconds, whatever its server floods it with",
  async (signal) => {
    for (const [text, answerAfterMs] of [
      [requestFloods[0][1], Infinity],
      [requestFloods[0][1], 5],
    ] as const) {
      const { server } = await flood(text, answerAfterMs);
      const command = new CliRun(openFixture(), {
        args: ["mcp", "call", "a", "--era", "legacy", server.url],
      });
      await expect.poll(() => server.methods).toContain("tools/call");
      const startedMs = performance.now();
      command.signal(signal);
      expect(await command.exited).toBe(signal === "SIGINT" ? 130 : 143);
      expect(performance.now() - startedMs).toBeLessThan(MOST_EXIT_MS);
    }
  },
);

const notification = (method: string, params: object) =>
  message({ method: `notifications/${method}`, params });
const EVENTS = "text/event-stream";

/** Endless texts without an answer; a client reads them as fast as it can. */
const floods = [
  ["messages that cannot be read", "data: {nonsense\n\n"],
  ["log messages", notification("message", { level: "info", data: "A log message" })],
  ["changed lists", notification("tools/list_changed", {})],
  ["progress", notification("progress", { progressToken: 1, progress: 1 })],
  ["notifications of an unknown method", notification("unknown", {})],
  ["answers to unknown ids", message({ id: 99_999, result: {} })],
  ["comments", ": a comment\n\n"],
  ["ids of events", "id: 1\n\n"],
  ["times to wait", "retry: 1\n\n"],
  ["empty lines", "\n"],
] as const;

/** A server in a separate thread. */
async function floodFromThread(text: string, type = EVENTS, times = Infinity) {
  const worker = new Worker(new URL("../src/flooding-server.mjs", import.meta.url), {
    workerData: { text: text.repeat(Math.ceil(20_000 / text.length)), type, times },
  });
  onTestFinished(async () => void (await worker.terminate()));
  const [port] = (await once(worker, "message")) as [number];
  return { url: `http://127.0.0.1:${port}/mcp`, called: once(worker, "message") };
}

test.each(floods)("a signal ends a command whose server floods it with %s", async (_, text) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const { url, called } = await floodFromThread(text);
    const command = new CliRun(openFixture(), {
      args: ["mcp", "call", "a", "--era", "legacy", url],
    });
    await called;
    await sleep(300);
    const startedMs = performance.now();
    command.signal(signal);
    // A flood of unreadable messages may have ended the connection before.
    expect([130, 143, 1]).toContain(await command.exited);
    expect(performance.now() - startedMs).toBeLessThan(MOST_EXIT_MS);
  }
});

test("a server is disconnected after 10,000 unreadable messages in a row", async () => {
  const { url } = await floodFromThread(floods[0][1]);
  const client = await connectOverHttp({ url }, { era: "legacy" });
  await expect(client.callTool("a")).rejects.toMatchObject({
    code: "lost",
    cause: { message: "The last 10000 messages of the server cannot be read" },
  });
});

const endless = [
  ["of empty lines of data", "data:\n".repeat(5_000)],
  ["of short lines of data", "data: abc\n".repeat(5_000)],
  ["of one long line", "x".repeat(60_000)],
  ["of wide characters", "漢".repeat(20_000)],
] as const;

/** Messages of half the limit, one of which is counted in UTF-16 units of two bytes. */
const large = "x".repeat(LIMIT_MB * 2 ** 19);
const largeFloods = [
  ["log messages of 8 MiB", notification("message", { level: "info", data: large })],
  ["answers of 8 MiB to unknown ids", message({ id: 99_999, result: { a: `漢${large}` } })],
] as const;

type Flood = readonly [what: string, text: string, type: string];

/** Calls a tool whose server floods the answer, in a separate process for each flood. */
async function expectModest(
  floods: readonly Flood[],
  mostMb: number,
  flags: readonly string[] = [],
): Promise<void> {
  const program = join(temporaryFolder("idewire-memory-"), "worker.mjs");
  await bundleProgram(new URL("../src/memory-worker.ts", import.meta.url), program);
  for (const [what, text, type] of floods) {
    const { url } = await floodFromThread(text, type);
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, url]);
    const { outcome, grownMb } = JSON.parse(stdout);
    expect(outcome, what).toMatch(
      /more than (16777216 bytes|100000 lines)|10000 messages|cancelled|aborted|timeout/i,
    );
    expect(grownMb, what).toBeLessThan(mostMb);
  }
}

test("an answer, an event or a stream without end costs at most four times its limit and 50 MB", async () => {
  const answers = endless.map(([what, text]) => [what, text, "application/json"] as const);
  const events = endless.map(([what, text]) => [what, text, EVENTS] as const);
  const streams = floods.map(([what, text]) => [what, text, EVENTS] as const);
  await expectModest([...answers, ...events, ...streams], 4 * LIMIT_MB + 50);
});

test("messages of half the limit, one after the other, need a heap of at most four times it and 50 MB", async () => {
  const streams = largeFloods.map(([what, text]) => [what, text, EVENTS] as const);
  const mostMb = 4 * LIMIT_MB + 50;
  // V8 decides when to collect garbage, unless the heap is limited.
  await expectModest(streams, 8 * LIMIT_MB + 50, [`--max-old-space-size=${mostMb}`]);
});

/** The peak memory of a command that calls a tool whose answer is a text repeated a number of times. */
async function peakOfCommand(text: string, times: number): Promise<number> {
  const meter = join(temporaryFolder("idewire-memory-"), "report-peak.mjs");
  await bundleProgram(new URL("../src/report-peak.ts", import.meta.url), meter);
  const { url } = await floodFromThread(text, EVENTS, times);
  const args = ["--import", meter, bin, "mcp", "call", "a", "--era", "legacy", url];
  const { env } = openFixture();
  const options = { env: { PATH: process.env["PATH"], ...env }, maxBuffer: Infinity };
  // It exits with an error, as it gets no answer.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  expect(stderr).toContain("the stream broke");
  return Number(stdout) / 2 ** 20;
}

test.each(largeFloods)(
  "60 %s, one after the other, cost a command at most four times the limit and 50 MB",
  async (_, text) => {
    const withoutMb = await peakOfCommand(text, 0);
    expect((await peakOfCommand(text, 60)) - withoutMb).toBeLessThan(4 * LIMIT_MB + 50);
  },
);
