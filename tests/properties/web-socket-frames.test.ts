import { once } from "node:events";
import type { Socket } from "node:net";
import type { CloseReason } from "@idewire/core/rpc";
import { createNodeWebSocketTransport } from "@idewire/node-server";
import { FrameCache } from "@idewire/node-server/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { announceSeed, anyText, seed } from "../src/fuzz.ts";
import { until } from "../src/reference-clients/transcript.ts";
import { openSocketPair } from "../src/transport-pairs.ts";

announceSeed();

const CASES = 300;

/** Texts with lengths around the limits of the header's formats, of a buffer, and of ws. */
const text = fc.oneof(
  anyText,
  fc
    .tuple(
      fc.constantFrom("x", "ü", "✓", "🦊", "\ud800"),
      fc.oneof(fc.integer({ min: 40, max: 130 }), fc.integer({ min: 1_000, max: 1_030 })),
    )
    .map(([unit, length]) => unit.repeat(length)),
  fc.integer({ min: 1_025, max: 70_000 }).map((length) => "y".repeat(length)),
);

/** The messages of one turn; a ping may be sent at any position. */
const turn = fc.array(fc.oneof({ weight: 9, arbitrary: text }, fc.constant("ping" as const)), {
  maxLength: 12,
});

const END = '{"end":true}';

/** UTF-8 cannot represent half a surrogate pair. */
const carried = (texts: readonly string[]) => texts.map((each) => Buffer.from(each).toString());

/** Both ends: ours at one of them, raw ws at the other. */
async function openEnds(ours: "server" | "client") {
  const { accepted, client, socket } = await openSocketPair();
  const own = (client as unknown as { _socket: Socket })._socket;
  const isServer = ours === "server";
  const [webSocket, raw] = isServer ? [accepted, client] : [client, accepted];
  const transport = createNodeWebSocketTransport(
    webSocket,
    isServer ? socket : own,
    new FrameCache(),
  );
  return { webSocket, raw, transport };
}

function textsUntilEnd(raw: WebSocket): Promise<string[]> {
  const texts: string[] = [];
  return new Promise((resolve) => {
    const listen = (data: Buffer) => {
      const output = data.toString();
      if (output !== END) texts.push(output);
      else {
        raw.off("message", listen);
        resolve(texts);
      }
    };
    raw.on("message", listen);
  });
}

test.each(["server", "client"] as const)(
  "whatever our %s sends in whatever turns arrives unchanged and in order",
  async (ours) => {
    const { webSocket, raw, transport } = await openEnds(ours);
    const law = fc.asyncProperty(fc.array(turn, { maxLength: 4 }), async (turns) => {
      const received = textsUntilEnd(raw);
      const sent: string[] = [];
      for (const output of turns) {
        for (const each of output) {
          if (each === "ping") webSocket.ping();
          else {
            sent.push(each);
            transport.send(each);
          }
        }
        await new Promise(setImmediate);
      }
      transport.send(END);
      expect(await received).toEqual(carried(sent));
      await until("all is handed on", () => transport.bufferedAmount === 0);
    });
    await fc.assert(law, { seed, numRuns: CASES });
    expect(raw.readyState).toBe(raw.OPEN);
    transport.close();
    await once(raw, "close");
  },
);

test.each(["server", "client"] as const)(
  "whatever our %s receives in whatever fragments, with pings between them, arrives whole",
  async (ours) => {
    const { raw, transport } = await openEnds(ours);
    const cut = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
    const law = fc.asyncProperty(
      fc.array(fc.tuple(text, cut), { maxLength: 6 }),
      async (output) => {
        const received: string[] = [];
        const done = new Promise<void>((resolve) => {
          transport.onframe = (frame) => (frame === END ? resolve() : received.push(frame));
        });
        for (const [each, cuts] of output) {
          const bytes = Buffer.from(each);
          const ends = [...cuts.map((at) => Math.floor(at * bytes.length)), bytes.length];
          let start = 0;
          for (const [index, end] of ends.sort((a, b) => a - b).entries()) {
            raw.send(bytes.subarray(start, end), { binary: false, fin: index === ends.length - 1 });
            raw.ping();
            start = end;
          }
        }
        raw.send(END);
        await done;
        expect(received).toEqual(carried(output.map(([each]) => each)));
      },
    );
    await fc.assert(law, { seed, numRuns: CASES });
    transport.close();
    await once(raw, "close");
  },
);

/** Frames of any kind in any order, masked with zeros, the last one truncated anywhere. */
const anyFrames = fc
  .tuple(
    fc.array(
      fc.record({
        opcode: fc.constantFrom(0, 1, 1, 1, 2, 3, 8, 9, 10),
        isFinal: fc.boolean(),
        payload: fc.oneof(fc.uint8Array({ maxLength: 125 }), fc.constant(Buffer.from("text"))),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    fc.integer({ min: 0, max: 5 }),
  )
  .map(([frames, cut]) => {
    const bytes = frames.map(({ opcode, isFinal, payload }) => {
      const header = [(isFinal ? 0x80 : 0) | opcode, 0x80 | payload.length, 0, 0, 0, 0];
      return Buffer.concat([Buffer.from(header), payload]);
    });
    const whole = Buffer.concat(bytes);
    const codes = frames.map(({ opcode, payload }) =>
      opcode === 8 && payload.length >= 2 ? Buffer.from(payload).readUInt16BE() : 1005,
    );
    return { bytes: whole.subarray(0, whole.length - cut), codes };
  });

test("any sequence of frames ends in a close, with our reason or their code", async () => {
  const ours: readonly number[] = [1002, 1003, 1006, 1007];
  const law = fc.asyncProperty(anyFrames, async ({ bytes, codes }) => {
    const { raw, transport } = await openEnds("server");
    transport.onframe = (frame) => transport.send(frame);
    const closed = new Promise<CloseReason>((resolve) => {
      transport.onclose = resolve;
    });
    raw.on("error", () => {});
    (raw as unknown as { _socket: Socket })._socket.end(bytes);
    expect([...ours, ...codes]).toContain((await closed).code);
    raw.terminate();
  });
  await fc.assert(law, { seed, numRuns: CASES });
});
