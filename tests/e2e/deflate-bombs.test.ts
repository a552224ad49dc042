import { once } from "node:events";
import { connect } from "node:net";
import { deflateRawSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { growthWhile } from "../src/hostile/client-group.ts";
import { RawIde } from "../src/hostile/raw-ide.ts";
import { readLock } from "../src/inspect-context.ts";
import { startInspect } from "../src/inspect-process.ts";
import { wireFrame } from "../src/wire-frame.ts";

const MIB = 1 << 20;
/** The log of an inspection, and its queued entries: 16 million characters each. */
const LOG = 2 * 2 * 16_000_000;
/** Four times the longest message, 50 MB, and the log. */
const MAX_GROWTH = 4 * 16 * MIB + 50_000_000 + LOG;
const COMPRESSED = 0x40;
const TEXT = 1;
const BINARY = 2;

const ACCEPTS = [
  "HTTP/1.1 101 Switching Protocols",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  "Sec-WebSocket-Extensions: permessage-deflate",
  "",
  "",
].join("\r\n");

/** A message a thousand times as long as its frame. */
function bomb(size: number, opcode = TEXT): Buffer {
  const deflated = deflateRawSync(Buffer.alloc(size, "x "), { finishFlush: 2 });
  return wireFrame({ opcode, bits: COMPRESSED, payload: deflated.subarray(0, -4) });
}

/** An inspection between an editor and agents, both plain sockets. */
async function inspect(...flags: readonly string[]) {
  const context = new AgentContext();
  const ide = await RawIde.open(context, ACCEPTS);
  const run = startInspect(
    {
      fixture: context.fixture,
      folder: context.folder,
      env: context.fixture.env as { HOME: string },
    },
    flags,
  );
  const { port, lockFile } = await run.event("inspecting");
  const join = async (index: number) => {
    const agent = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void agent.destroy());
    agent.on("error", () => {});
    agent.resume();
    agent.write(
      [
        "GET / HTTP/1.1",
        `Host: 127.0.0.1:${port}`,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Protocol: mcp",
        "Sec-WebSocket-Extensions: permessage-deflate",
        `X-Claude-Code-Ide-Authorization: ${readLock(String(lockFile))["authToken"]}`,
        "",
        "",
      ].join("\r\n"),
    );
    return { agent, editor: (await ide.connection(index)).socket };
  };
  return { run, join };
}

test.each([
  ["long texts", 40, bomb(15 * MIB)],
  ["long bytes", 40, bomb(15 * MIB, BINARY)],
  ["texts that are not cut", 40, bomb(4 * MIB)],
  ["short texts", 2_000, bomb(60_000)],
])("inspect reads compressed %s in bounded memory", async (_, count, frame) => {
  const { run, join } = await inspect();
  const { editor, agent } = await join(0);
  await expect.poll(() => agent.bytesRead).toBeGreaterThan(0);
  const growth = await growthWhile(run.pid, async () => {
    for (let sent = 0; sent < count; sent += 1) {
      if (!editor.write(frame)) await once(editor, "drain");
    }
    // Waits until the agent has received every forwarded frame.
    await expect
      .poll(() => agent.bytesRead, { timeout: 100_000 })
      .toBeGreaterThanOrEqual(count * frame.length);
  });
  expect(growth).toBeLessThan(MAX_GROWTH);
});

test("inspect keeps the unfinished messages of all connections in bounded memory", async () => {
  const { run, join } = await inspect();
  const payload = Buffer.alloc(15 * MIB, "x");
  const ends: Awaited<ReturnType<typeof join>>[] = [];
  // In sequence, since the order of connections decides which editor an agent gets.
  for (let index = 0; index < 20; index += 1) ends.push(await join(index));
  const growth = await growthWhile(run.pid, async () => {
    for (const { editor, agent } of ends) {
      editor.write(wireFrame({ opcode: TEXT, isFinal: false, payload }));
      await expect.poll(() => agent.bytesRead).toBeGreaterThan(payload.length);
    }
  });
  expect(growth).toBeLessThan(MAX_GROWTH);
});
