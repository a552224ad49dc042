import { describe, expect, test } from "vitest";
import { FrameWatch } from "./frame-watch.ts";

/** A client's frame: masked, with the shortest length that fits. */
function frame(opcode: number, length: number, isFinal = true): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const mask = [1, 2, 3, 4];
  const header =
    length < 126
      ? [first, 0x80 | length]
      : length < 65_536
        ? [first, 0x80 | 126, length >> 8, length & 0xff]
        : [first, 0x80 | 127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((bits) => (length >> bits) & 0xff)];
  return Buffer.concat([Buffer.from([...header, ...mask]), Buffer.alloc(length, 7)]);
}

const TEXT = 1;
const CONTINUATION = 0;
const PONG = 10;

function watchOf(...chunks: readonly Buffer[]): FrameWatch {
  const watch = new FrameWatch();
  chunks.forEach((chunk, index) => {
    watch.push(chunk, index);
  });
  return watch;
}

describe("a frame watch", () => {
  test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
    "is at rest after a whole frame of %i bytes, however it is cut",
    (length) => {
      const bytes = frame(TEXT, length);
      expect(watchOf(bytes).unfinishedSince).toBeUndefined();
      for (const cut of [1, 2, 5, bytes.length - 1]) {
        const halves = [bytes.subarray(0, cut), bytes.subarray(cut)];
        expect(watchOf(halves[0] as Buffer).unfinishedSince).toBe(0);
        expect(watchOf(...halves).unfinishedSince).toBeUndefined();
      }
    },
  );

  test("counts from the first fragment, and control frames between do not restart it", () => {
    const watch = watchOf(
      frame(PONG, 0),
      frame(TEXT, 10, false),
      frame(PONG, 4),
      frame(CONTINUATION, 3, false),
    );
    expect(watch.unfinishedSince).toBe(1);
    watch.push(frame(CONTINUATION, 1), 9);
    expect(watch.unfinishedSince).toBeUndefined();
  });

  test("understands any number of frames in any chunks of bytes", () => {
    const stream = Buffer.concat([
      frame(TEXT, 300),
      frame(PONG, 2),
      frame(TEXT, 0, false),
      frame(CONTINUATION, 70_000),
      frame(TEXT, 5),
    ]);
    for (const size of [1, 3, 7, 1_000, stream.length]) {
      const watch = new FrameWatch();
      for (let at = 0; at < stream.length; at += size)
        watch.push(stream.subarray(at, at + size), at);
      expect(watch.unfinishedSince).toBeUndefined();
    }
  });
});

describe("what is kept of an unfinished message is counted", () => {
  const overhead = (chunks: number) => 256 * chunks;

  test("nothing of a whole one, all of a part, however it is cut", () => {
    expect(watchOf(frame(TEXT, 70_000)).heldBytes).toBe(0);
    const bytes = frame(TEXT, 70_000);
    const half = watchOf(bytes.subarray(0, 30_014));
    expect(half.heldBytes).toBe(30_000 + overhead(1));
    const bits = Array.from({ length: 3_000 }, (_, at) => bytes.subarray(at * 10, at * 10 + 10));
    expect(watchOf(...bits).heldBytes).toBe(30_000 - 14 + overhead(3_000));
  });

  test("all fragments, each with what it costs; what pings carry is not kept", () => {
    const fragments = [frame(TEXT, 1_000, false), frame(0, 500, false), frame(PONG, 100)];
    const watch = watchOf(Buffer.concat(fragments));
    expect(watch.heldBytes).toBe(1_500 + overhead(3));
    watch.push(frame(0, 10), 1);
    expect(watch.heldBytes).toBe(0);
  });

  test("of two messages in one piece only the one that is not finished", () => {
    const bytes = Buffer.concat([frame(TEXT, 5_000), frame(TEXT, 300).subarray(0, 108)]);
    expect(watchOf(bytes).heldBytes).toBe(100 + overhead(1));
  });
});
