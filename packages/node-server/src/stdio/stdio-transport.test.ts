import { PassThrough, Writable } from "node:stream";
import { McpClient } from "@idewire/core/client";
import type { CloseReason } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { expect, test } from "vitest";
import { createStdioTransport, type StdioOptions } from "./stdio-transport.ts";

/** A transport, the other end's raw streams, and the received frames. */
function openEnd(options: StdioOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = createStdioTransport(input, output, options);
  const frames: string[] = [];
  transport.onframe = (frame) => frames.push(frame);
  const closed = new Promise<CloseReason>((resolve) => {
    transport.onclose = resolve;
  });
  return { input, output, transport, frames, closed };
}

test("lines may be cut anywhere, in the middle of a character too", async () => {
  const { input, frames, closed } = openEnd();
  const bytes = Buffer.from('{"a":"ü🦊"}\n[1]\r\n\n"last"\n');
  for (const byte of bytes) input.write(Buffer.of(byte));
  input.end();
  expect(await closed).toEqual({ code: 1000, reason: "" });
  expect(frames).toEqual(['{"a":"ü🦊"}', "[1]\r", "", '"last"']);
});

test("a last line without a newline is a frame when the input ends in order", async () => {
  const { input, frames, closed } = openEnd();
  input.end('{"n":1}\n{"n":2}');
  await closed;
  expect(frames).toEqual(['{"n":1}', '{"n":2}']);
});

test("a last line without a newline is dropped when the input breaks", async () => {
  const { input, frames, closed } = openEnd();
  input.write('{"n":1}\n{"n":');
  await new Promise(setImmediate);
  input.destroy(new Error("EIO: the cable"));
  expect(await closed).toEqual({ code: 1006, reason: "EIO: the cable" });
  expect(frames).toEqual(['{"n":1}']);
});

test("frames that arrive faster than they are handled leave turns to everything else", async () => {
  const { input, transport, frames, closed } = openEnd();
  const seen: number[] = [];
  transport.onframe = (frame) => {
    frames.push(frame);
    const untilMs = performance.now() + 0.2;
    while (performance.now() < untilMs);
  };
  const lines = Array.from({ length: 5_000 }, (_, index) => `{"n":${index}}`);
  input.end(lines.map((line) => `${line}\n`).join(""));
  while (frames.length < lines.length) {
    await new Promise(setImmediate);
    seen.push(frames.length);
  }
  // One or two slices of 4 KiB each.
  const most = Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)));
  expect(most).toBeLessThan(lines.length / 2);
  expect(await closed).toMatchObject({ code: 1000 });
  expect(frames).toEqual(lines);
});

test("reading pauses while what has been read waits elsewhere", async () => {
  let isFull = false;
  const { input, transport, frames, closed } = openEnd({ isFull: () => isFull });
  transport.onframe = (frame) => {
    frames.push(frame);
    isFull = true;
  };
  const line = JSON.stringify("x".repeat(5_000));
  for (let count = 0; count < 100; count += 1) input.write(`${line}\n`);
  input.end();
  await expect.poll(() => frames.length).toBe(1);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  expect(frames).toHaveLength(1);
  transport.onframe = (frame) => frames.push(frame);
  isFull = false;
  expect(await closed).toMatchObject({ code: 1000 });
  expect(frames).toHaveLength(100);
});

test("what has been read is handled when the other end closes, too", async () => {
  const { input, frames, closed } = openEnd({ isFull: () => frames.length > 0 });
  input.write(`${'{"n":1}\n'.repeat(2_000)}`);
  await expect.poll(() => frames.length).toBeGreaterThan(0);
  input.destroy(new Error("EIO: the cable"));
  expect(await closed).toMatchObject({ code: 1006 });
  expect(frames).toHaveLength(2_000);
});

test("a frame over the limit closes with 1009, and is discarded", async () => {
  for (const chunks of [["12345678901\n"], ["123456", "78901"]]) {
    const { input, frames, closed } = openEnd({ maxFrameBytes: 10 });
    input.write("1234567890\n");
    for (const chunk of chunks) input.write(chunk);
    input.write("after\n");
    input.end();
    expect(await closed).toEqual({ code: 1009, reason: "A frame is longer than 10 bytes" });
    expect(frames).toEqual(["1234567890"]);
  }
});

test("all frames of a turn leave in one write", async () => {
  const writes: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const transport = createStdioTransport(new PassThrough(), output);
  for (const frame of ["1", "2\n", "3"]) transport.send(frame);
  expect(writes).toEqual([]);
  await new Promise(setImmediate);
  expect(writes).toEqual(["1\n2 \n3\n"]);
});

test("a long frame is a line among those of its turn, and is not joined with them", async () => {
  const writes: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  const transport = createStdioTransport(new PassThrough(), output);
  const long = "1".repeat(1_100_000);
  for (const frame of ["1", long, "2", "3"]) transport.send(frame);
  expect(transport.bufferedAmount).toBe(long.length + 7);
  await new Promise(setImmediate);
  expect(writes).toEqual(["1\n", long, "\n2\n3\n"]);
});

test("a closed output closes with the system's message", async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(new Error("write EPIPE")),
  });
  const transport = createStdioTransport(new PassThrough(), output);
  const closed = new Promise<CloseReason>((resolve) => {
    transport.onclose = resolve;
  });
  transport.send("1");
  expect(await closed).toEqual({ code: 1006, reason: "write EPIPE" });
  transport.send("2");
});

test("an endless input delays nothing for longer than a second", async () => {
  const { transport, closed, output } = openEnd();
  transport.send("bye");
  transport.close(1001, "enough");
  expect(await closed).toEqual({ code: 1001, reason: "enough" });
  expect(String(output.read())).toBe("bye\n");
});

test("an MCP client and server work over it", async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = new McpServer({ name: "editor", version: "1" });
  server.connect(createStdioTransport(toServer, toClient), { context: undefined });
  const client = await McpClient.connect(createStdioTransport(toClient, toServer), {
    name: "agent",
    version: "1",
    era: "legacy",
  });
  expect(client.server.serverInfo.name).toBe("editor");
  await client.ping();
  client.close();
  expect((await client.closed).code).toBe(1000);
});
