import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { type Plugin, rollup } from "rollup";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { root } from "./packages.ts";

// The plugin bundles what a server without compression reaches of ws. Every client shall find that
// server to be the whole one: the same bytes come back, and the same is heard.

const folder = mkdtempSync(join(tmpdir(), "lean-ws-"));
let ends: { readonly whole: End; readonly lean: End };

beforeAll(async () => {
  ends = { whole: await openEnd(WebSocketServer), lean: await openEnd(await buildLean()) };
});

afterAll(() => {
  for (const { http } of Object.values(ends)) http.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ["compression and another protocol", { "Sec-WebSocket-Protocol": "soap, mcp" }],
  ["no protocol that is spoken here", { "Sec-WebSocket-Protocol": "soap" }],
  ["protocols that are none", { "Sec-WebSocket-Protocol": "mcp,,mcp" }],
  ["a key that is none", { "Sec-WebSocket-Key": "short" }],
  ["an old version", { "Sec-WebSocket-Version": "7" }],
  ["something else to upgrade to", { Upgrade: "h2c" }],
])("who offers %s is answered as by the whole of ws", async (_, headers) => {
  const bytes = handshake({ ...headers, "Sec-WebSocket-Extensions": "permessage-deflate; a=1" });
  await answersAlike(Buffer.concat([bytes, frame({ opcode: 1, payload: "hello" }), GOODBYE]));
});

test.each<readonly [string, readonly FrameSpec[]]>([
  ["texts of every length of header", [{ size: 125 }, { size: 126 }, { size: 70_000 }]],
  ["bytes", [{ opcode: 2, payload: "\0\u00ff" }]],
  ["pieces with a ping between", [{ fin: false }, { opcode: 9, payload: "?" }, { opcode: 0 }]],
  ["a pong", [{ opcode: 10, payload: "!" }]],
  ["a close without a code", [{ opcode: 8, payload: "" }]],
  ["a close with a code that is none", [{ opcode: 8, payload: "\u0003\u00ed" }]],
  ["a close of one byte", [{ opcode: 8, payload: "x" }]],
  ["more than the limit", [{ size: 100_001 }]],
  ["a compressed frame", [{ rsv: 4 }]],
  ["a compressed ping", [{ opcode: 9, rsv: 4 }]],
  ["a reserved bit", [{ rsv: 1 }]],
  ["an opcode that is none", [{ opcode: 3 }]],
  ["the rest of nothing", [{ opcode: 0 }]],
  ["a new message in another", [{ fin: false }, { opcode: 1 }]],
  ["a ping in pieces", [{ opcode: 9, fin: false }]],
  ["what is not masked", [{ masked: false }]],
  ["a text that is no UTF-8", [{ payload: "\u00ff\u00fe" }]],
])("%s: answered as by the whole of ws", async (_, frames) => {
  await answersAlike(Buffer.concat([handshake(), ...frames.map(frame), GOODBYE]));
});

test("any frames in any order are answered as by the whole of ws", async () => {
  const spec = fc.record<FrameSpec>(
    {
      opcode: fc.constantFrom(0, 1, 1, 2, 8, 9, 10, 11),
      fin: fc.boolean(),
      rsv: fc.constantFrom(0, 0, 0, 0, 1, 4),
      masked: fc.constantFrom(true, true, true, true, false),
      payload: fc.string({ unit: "binary-ascii", maxLength: 130 }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { maxLength: 6 }), async (frames) => {
      await answersAlike(Buffer.concat([handshake(), ...frames.map(frame), GOODBYE]));
    }),
    { numRuns: 60 },
  );
});

interface FrameSpec {
  readonly opcode?: number;
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly masked?: boolean;
  /** A character each byte. */
  readonly payload?: string;
  readonly size?: number;
}

function frame({ opcode = 1, fin = true, rsv = 0, masked = true, ...rest }: FrameSpec): Buffer {
  const { payload = "x".repeat(rest.size ?? 3) } = rest;
  const { length } = payload;
  const mask = Buffer.from(masked ? [1, 2, 3, 4] : []);
  const large = Buffer.alloc(length > 65_535 ? 8 : length > 125 ? 2 : 0);
  if (large.length === 2) large.writeUInt16BE(length);
  else if (large.length === 8) large.writeBigUInt64BE(BigInt(length));
  const short = large.length === 8 ? 127 : large.length === 2 ? 126 : length;
  const head = [(fin ? 0x80 : 0) | (rsv << 4) | opcode, (masked ? 0x80 : 0) | short];
  const bytes = Buffer.from(payload, "latin1").map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.from(head), large, mask, bytes]);
}

const GOODBYE = frame({ opcode: 8, payload: "\u0003\u00e8bye" });

function handshake(headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = {
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET / HTTP/1.1\r\n${lines.join("")}\r\n`);
}

async function answersAlike(bytes: Buffer): Promise<void> {
  const expected = await ends.whole.talk(bytes);
  expect(expected.said).not.toBe("");
  expect(await ends.lean.talk(bytes)).toEqual(expected);
}

interface End {
  readonly http: Server;
  /** What came back until the connection was over, and what the server's side heard. */
  talk(bytes: Buffer): Promise<{ readonly said: string; readonly heard: readonly unknown[] }>;
}

/** A server with our options that does with a client whatever the plugin's may do. */
async function openEnd(Webs: typeof WebSocketServer): Promise<End> {
  const http = createServer();
  let heard: unknown[] = [];
  let gone: Promise<unknown>[] = [];
  // The types do not know closeTimeout yet.
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: 100_000,
    closeTimeout: 60_000,
    handleProtocols: (offered: Set<string>) => offered.has("mcp") && "mcp",
  };
  const server = new Webs(options);
  http.on("upgrade", (request, socket, head) => {
    server.handleUpgrade(request, socket, head, (client) => {
      heard.push({ extensions: client.extensions, url: client.url, state: client.readyState });
      gone.push(new Promise((resolve) => client.on("close", resolve)));
      client.on("error", (error) => heard.push(["error", error.message, Object.entries(error)]));
      for (const event of ["ping", "pong", "close"] as const) {
        client.on(event, (...args: unknown[]) => heard.push([event, ...args.map(String)]));
      }
      client.on("message", (data, isBinary) => {
        // How much is buffered by then is the system's to say.
        heard.push([data.toString(), isBinary, Number.isInteger(client.bufferedAmount)]);
        client.send(data.toString(), { binary: false });
        client.send(Buffer.from(data.toString()), { binary: false });
        client.send(`${isBinary}`);
      });
      client.ping();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  const talk = async (bytes: Buffer) => {
    heard = [];
    gone = [];
    const ended = new Promise<void>((resolve) => {
      http.once("connection", (socket: Socket) => socket.once("close", () => resolve()));
    });
    const socket = connect(port, "127.0.0.1");
    const parts: Buffer[] = [];
    socket.on("data", (part) => parts.push(part));
    socket.end(bytes);
    await Promise.all([ended, new Promise((resolve) => socket.once("close", resolve))]);
    await Promise.all(gone);
    return { said: Buffer.concat(parts).toString("latin1"), heard };
  };
  return { http, talk };
}

/** The server as the plugin's own configuration bundles it. */
async function buildLean(): Promise<typeof WebSocketServer> {
  const config = pathToFileURL(join(root, "packages/obsidian-plugin/rollup.config.mjs")).href;
  const { default: plugin } = (await import(config)) as { default: { plugins: Plugin[] } };
  const wanted = plugin.plugins.filter(({ name }) => /^(lean|node-resolve|commonjs)$/.test(name));
  expect(wanted).toHaveLength(3);
  const ws = createRequire(join(root, "packages/node-server/package.json")).resolve("ws");
  const bundle = await rollup({
    input: ws.replace(/index\.js$/, "lib/websocket-server.js"),
    external: /^(node:)?[a-z]+$/,
    plugins: wanted,
    onwarn: () => undefined,
  });
  const file = join(folder, "lean.cjs");
  await bundle.write({ file, format: "cjs", exports: "default" });
  const server = createRequire(file)(file) as typeof WebSocketServer;
  expect(server).not.toBe(WebSocketServer);
  return server;
}
