import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { AgentContext } from "../src/agent-context.ts";
import { seed } from "../src/fuzz.ts";
import { RawIde } from "../src/hostile/raw-ide.ts";
import { beginInspect, closeOf, openAgent, tokenHeader } from "../src/inspect-context.ts";
import { RawSocket } from "../src/raw-frames.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { wireFrame } from "../src/wire-frame.ts";

fc.configureGlobal({ seed });

test("an upgrade is forwarded unchanged except for host and token, and so is its answer", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { port, token, run } = await beginInspect(context);
  const headers = { "X-Odd": "1", ...tokenHeader(token) };
  const socket = openAgent({ port, token }, { headers }, "/any/path?x=1");
  const [answer] = (await once(socket, "upgrade")) as [{ readonly headers: object }];
  expect(answer.headers).toMatchObject({ "x-editor": "raw", "sec-websocket-protocol": "mcp" });
  const { request } = await ide.connection();
  expect(request).toContain("GET /any/path?x=1 HTTP/1.1\r\n");
  expect(`${request}\r\n`).toContain(`\r\nHost: 127.0.0.1:${ide.port}\r\n`);
  expect(request).toContain("\r\nX-Odd: 1");
  expect(request).toContain(`\r\nX-Claude-Code-Ide-Authorization: ${ide.token}`);
  expect(request).toMatch(/\r\nSec-WebSocket-Extensions: permessage-deflate/);
  expect(request).not.toContain(token);
  await run.event("open", { protocol: "mcp" });
});

test("bytes pass unchanged both ways, whatever they are and however they are cut", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { port, token } = await beginInspect(context);
  const chunk = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
  const proper = fc
    .record({
      opcode: fc.constantFrom(0, 1, 2, 9, 10),
      payload: fc.uint8Array({ maxLength: 100 }),
      isFinal: fc.boolean(),
      mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined }),
    })
    .map(wireFrame);
  const output = fc.array(fc.oneof(chunk, proper), { maxLength: 12 });
  let connections = 0;
  await fc.assert(
    fc.asyncProperty(output, output, async (fromAgent, fromIde) => {
      const agent = await RawSocket.open(port, token);
      const connection = await ide.connection(connections);
      connections += 1;
      await until("the answer", () => agent.received.includes("\r\n\r\n"));
      const start = agent.received.indexOf("\r\n\r\n") + 4;
      for (const bytes of fromAgent) agent.socket.write(bytes);
      for (const bytes of fromIde) connection.socket.write(bytes);
      const [there, back] = [Buffer.concat(fromAgent), Buffer.concat(fromIde)];
      await until("all bytes", () => {
        return (
          connection.received().length >= there.length &&
          agent.received.length - start >= back.length
        );
      });
      expect(connection.received().equals(there)).toBe(true);
      expect(Buffer.from(agent.received.slice(start), "latin1").equals(back)).toBe(true);
      agent.socket.destroy();
      connection.socket.destroy();
    }),
    { numRuns: 25 },
  );
});

test("binary, broken and truncated messages, pings and fragments pass, and are labelled as such", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context);
  const agent = await RawSocket.open(port, token);
  const { socket } = await ide.connection();
  const mask = Buffer.from([1, 2, 3, 4]);
  const text = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  agent.socket.write(wireFrame({ opcode: 1, payload: text.subarray(0, 7), isFinal: false, mask }));
  agent.socket.write(wireFrame({ opcode: 9, payload: Buffer.from("hi"), mask }));
  agent.socket.write(wireFrame({ opcode: 0, payload: text.subarray(7), mask }));
  expect(await run.event("frame", { method: "ping" })).toMatchObject({ pieces: 2, id: 1 });
  await run.event("control", { op: "ping", dir: "agent>ide" });
  socket.write(wireFrame({ opcode: 2, payload: Buffer.from([0, 255, 1]) }));
  socket.write(wireFrame({ opcode: 1, payload: Buffer.from([0x22, 0xff, 0x22]) }));
  socket.write(wireFrame({ opcode: 1, payload: Buffer.from("not JSON") }));
  expect(await run.event("frame", { form: "binary" })).toMatchObject({ raw: "AP8B" });
  expect(await run.event("frame", { form: "not-utf8" })).toMatchObject({ raw: "Iv8i" });
  await run.event("frame", { raw: "not JSON", kind: "malformed" });
  socket.write(wireFrame({ opcode: 7, payload: Buffer.from("?") }));
  await until("the notice", () => run.output.includes("unknown opcode 7"));
});

test.each([
  ["the agent", 1000, "done"],
  ["the agent", 4321, ""],
  ["the editor", 1001, "The editor has closed"],
  ["the editor", 1008, "no"],
] as const)("when %s closes with %i the other end receives that", async (who, code, reason) => {
  const context = new AgentContext();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  await once(server, "listening");
  context.lock((server.address() as { port: number }).port, { authToken: "secret-of-the-editor" });
  const { run, port, token } = await beginInspect(context);
  const socket = openAgent({ port, token });
  const [connection] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => connection.terminate());
  await until("the agent is in", () => socket.readyState === WebSocket.OPEN);
  const received = closeOf(who === "the agent" ? connection : socket);
  (who === "the agent" ? socket : connection).close(code, reason);
  expect(await received).toEqual([code, reason]);
  expect(await run.event("close")).toMatchObject({ ch: "c1", code, reason });
});

test.each(["agent", "editor"])("when the %s is disconnected the other end is too", async (who) => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context);
  const socket = openAgent({ port, token });
  await once(socket, "open");
  const { socket: connection } = await ide.connection();
  const ended = who === "agent" ? once(connection, "close") : closeOf(socket);
  if (who === "agent") socket.terminate();
  else connection.resetAndDestroy();
  await ended;
  expect(await run.event("close")).toMatchObject({ code: 1006 });
});

test("each agent has a connection of its own to the editor", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context);
  const [first, second] = [openAgent({ port, token }), openAgent({ port, token })];
  await Promise.all([once(first, "open"), once(second, "open")]);
  await ide.connection(1);
  first.terminate();
  await run.event("close");
  expect(second.readyState).toBe(WebSocket.OPEN);
  const [one, two] = ide.connections;
  two?.socket.write(wireFrame({ opcode: 1, payload: Buffer.from("{}") }));
  one?.socket.write(wireFrame({ opcode: 1, payload: Buffer.from("{}") }));
  await Promise.race([once(first, "message"), once(second, "message")]);
});

test("compressed frames are passed compressed, and are readable all the same", async () => {
  const context = new AgentContext();
  const server = new WebSocketServer({
    ...{ port: 0, host: "127.0.0.1" },
    perMessageDeflate: { threshold: 0 },
  });
  onTestFinished(() => server.close());
  await once(server, "listening");
  context.lock((server.address() as { port: number }).port, {});
  const { run, port, token } = await beginInspect(context);
  const socket = openAgent({ port, token }, { perMessageDeflate: { threshold: 0 } });
  const [connection] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => connection.terminate());
  await until("the agent is in", () => socket.readyState === WebSocket.OPEN);
  expect(socket.extensions).toBe("permessage-deflate");
  for (const turn of [1, 2, 3]) {
    const text = JSON.stringify({ jsonrpc: "2.0", method: "same", params: { turn } });
    const received = once(connection, "message");
    socket.send(text);
    expect(String((await received)[0])).toBe(text);
    await run.event("frame", { dir: "agent>ide", raw: text });
    const back = once(socket, "message");
    connection.send(text);
    expect(String((await back)[0])).toBe(text);
    await run.event("frame", { dir: "ide>agent", raw: text });
  }
});

test("a flooding end is throttled by an end that does not read, and costs no memory", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { port, token } = await beginInspect(context, "--record", "flood.jsonl");
  const agent = connect({ host: "127.0.0.1", port });
  agent.on("error", () => undefined);
  onTestFinished(() => void agent.destroy());
  agent.write(requestOf(port, token));
  const { socket: connection } = await ide.connection();
  agent.pause();
  const message = wireFrame({ opcode: 1, payload: Buffer.alloc(1 << 20, "x") });
  let written = 0;
  while (connection.writableLength < 1 << 23 && written < 256) {
    connection.write(message);
    written += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Back-pressure: data that cannot be forwarded waits on the editor's side.
  expect(written).toBeLessThan(256);
  agent.resume();
  await until("all is read", () => agent.bytesRead > written << 20, 20_000);
});

function requestOf(port: number, token: string): string {
  const key = randomBytes(16).toString("base64");
  return [
    "GET / HTTP/1.1",
    `Host: localhost:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${key}`,
    `X-Claude-Code-Ide-Authorization: ${token}`,
    "",
    "",
  ].join("\r\n");
}

test("a message of 50 MB passes whole, and its beginning is shown", async () => {
  const context = new AgentContext();
  const ide = await RawIde.open(context);
  const { run, port, token } = await beginInspect(context);
  const socket = openAgent({ port, token }, { maxPayload: 1 << 26, headers: tokenHeader(token) });
  await once(socket, "open");
  const { socket: connection } = await ide.connection();
  const payload = randomBytes(1 << 10)
    .toString("hex")
    .repeat(25_000);
  const received = once(socket, "message");
  connection.write(wireFrame({ opcode: 1, payload: Buffer.from(payload) }));
  const [data] = (await received) as [Buffer];
  expect(data.length).toBe(payload.length);
  expect(data.toString() === payload).toBe(true);
  expect(await run.event("frame")).toMatchObject({ cut: payload.length });
});

test("an editor with another protocol is forwarded unchanged, and named", async () => {
  const context = new AgentContext();
  const answer = "HTTP/1.1 418 I'm a teapot\r\nContent-Length: 3\r\n\r\ntea";
  await RawIde.open(context, answer);
  const { run, port, token } = await beginInspect(context);
  const agent = await RawSocket.open(port, token);
  await until("the answer", () => agent.received === answer);
  const refused = await run.event("control", { op: "refused" });
  expect(refused["text"]).toContain("418 I'm a teapot");
  agent.socket.destroy();

  const other = new AgentContext();
  await RawIde.open(other, "SSH-2.0-OpenSSH_9.2\r\n");
  const ssh = await beginInspect(other);
  const connection = await RawSocket.open(ssh.port, ssh.token);
  await until("the banner", () => connection.received === "SSH-2.0-OpenSSH_9.2\r\n");
  connection.socket.destroy();
});
