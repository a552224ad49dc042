import { constants, deflateRawSync } from "node:zlib";
import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  BEGINNING_BYTES,
  type WireItem,
  WireReader,
} from "../../packages/cli/src/debug/inspect/wire-reader.ts";
import { seed } from "../src/fuzz.ts";
import { wireFrame as frame } from "../src/wire-frame.ts";

fc.configureGlobal({ seed });

function read(chunks: readonly Uint8Array[], inflates?: { readonly keepsContext: boolean }) {
  const items: WireItem[] = [];
  const reader = new WireReader({ inflates, onitem: (item) => items.push(item) });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return { items, reader };
}

/** Cuts bytes into chunks of these sizes, repeatedly. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, next = 0; at < bytes.length; next += 1) {
    const size = sizes[next % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const message = fc.record({
  isBinary: fc.boolean(),
  chunks: fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
  ping: fc.option(fc.uint8Array({ maxLength: 125 }), { nil: undefined }),
});
const mask = fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined });

test("any bytes in any pieces are read as intended", () => {
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 }),
      mask,
      (messages, sizes, mask) => {
        const bytes = messages.flatMap(({ isBinary, chunks, ping }) =>
          chunks.flatMap((payload, at) => {
            const opcode = at > 0 ? 0 : isBinary ? 2 : 1;
            const isFinal = at === chunks.length - 1;
            const part = frame({ opcode, payload, isFinal, mask });
            // A ping may come between two fragments of a message.
            return ping === undefined ? [part] : [frame({ opcode: 9, payload: ping, mask }), part];
          }),
        );
        const { items, reader } = read(cut(Buffer.concat(bytes), sizes));
        const expected = messages.flatMap(({ isBinary, chunks, ping }) => {
          const whole = Buffer.concat(chunks);
          return [
            ...chunks.flatMap(() =>
              ping === undefined ? [] : [{ kind: "ping", bytes: Buffer.from(ping) }],
            ),
            { kind: "message", isBinary, bytes: whole, size: whole.length, chunks: chunks.length },
          ];
        });
        expect(items).toEqual(expected);
        expect(reader.isBetweenFrames).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test("input other than WebSocket is reported once as unrecognised", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }), (chunks) => {
      const { items } = read(chunks);
      const broken = items.findIndex(({ kind }) => kind === "broken");
      if (broken !== -1) expect(broken).toBe(items.length - 1);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["a reserved bit", frame({ opcode: 1, payload: Buffer.from("a"), bits: 0x20 }), "reserved bit"],
  ["an unknown opcode", frame({ opcode: 3, payload: Buffer.from("a") }), "unknown opcode 3"],
  ["a continuation first", frame({ opcode: 0, payload: Buffer.from("a") }), "without a message"],
  ["a long ping", frame({ opcode: 9, payload: Buffer.alloc(126) }), "control frame of 126 bytes"],
  [
    "compression without negotiation",
    frame({ opcode: 1, payload: Buffer.from("a"), bits: 0x40 }),
    "without negotiation",
  ],
])("%s is named, and later bytes are not interpreted", (_, bytes, why) => {
  const after = frame({ opcode: 1, payload: Buffer.from("{}") });
  const { items, reader } = read([bytes, after]);
  expect(items).toEqual([{ kind: "broken", why: expect.stringContaining(why) }]);
  expect(reader.isBetweenFrames).toBe(false);
});

test("a close frame has its code and reason, or 1005 without them", () => {
  const payload = Buffer.concat([Buffer.from([0x03, 0xe9]), Buffer.from("bye")]);
  const { items } = read([frame({ opcode: 8, payload })]);
  expect(items).toEqual([{ kind: "close", code: 1001, reason: "bye" }]);
  const bare = read([frame({ opcode: 8, payload: Buffer.alloc(0) })]);
  expect(bare.items).toEqual([{ kind: "close", code: 1005, reason: "" }]);
});

test("of a message that is too long, the beginning and the length are retained", () => {
  const half = MAX_FRAME_BYTES / 2 + 1;
  const piece = Buffer.alloc(half, "x");
  const { items } = read([
    frame({ opcode: 1, payload: piece, isFinal: false }),
    frame({ opcode: 0, payload: piece }),
    frame({ opcode: 1, payload: Buffer.from("{}") }),
  ]);
  const [long, next] = items;
  expect(long).toMatchObject({ kind: "message", size: 2 * half, chunks: 2 });
  expect(long?.kind === "message" && long.bytes.length).toBe(BEGINNING_BYTES);
  expect(next).toMatchObject({ size: 2 });
});

test("compressed messages are read, also with context takeover", () => {
  const texts = ["the same words", "the same words, again", "the same words"];
  let window = Buffer.alloc(0);
  const frames = texts.map((text) => {
    const payload = deflateRawSync(text, {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(window.length > 0 && { dictionary: window }),
    }).subarray(0, -4);
    window = Buffer.concat([window, Buffer.from(text)]);
    return frame({ opcode: 1, payload, bits: 0x40 });
  });
  const { items } = read(frames, { keepsContext: true });
  expect(items.map((item) => item.kind === "message" && item.bytes.toString())).toEqual(texts);
  const bomb = deflateRawSync(Buffer.alloc(2 * MAX_FRAME_BYTES)).subarray(0, -4);
  const { items: bombed } = read([frame({ opcode: 1, payload: bomb, bits: 0x40 })], {
    keepsContext: false,
  });
  expect(bombed).toMatchObject([{ kind: "broken" }]);
});
