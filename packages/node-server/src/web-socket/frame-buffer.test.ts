import { describe, expect, test } from "vitest";
import { FrameBuffer, formatTextFrame, SMALL_FRAME } from "./frame-buffer.ts";

/** Reads one text frame, as RFC 6455 section 5.2 has it. */
function read(bytes: Buffer): { readonly text: string; readonly rest: Buffer } {
  expect(bytes[0]).toBe(0x81);
  const second = bytes[1] as number;
  const isLong = (second & 0x7f) === 126;
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f;
  if (isLong) expect(length).toBeGreaterThan(125);
  let start = isLong ? 4 : 2;
  const mask = second & 0x80 ? bytes.subarray(start, start + 4) : Buffer.alloc(4);
  start += second & 0x80 ? 4 : 0;
  const payload = bytes.subarray(start, start + length).map((byte, i) => byte ^ (mask[i & 3] ?? 0));
  return { text: Buffer.from(payload).toString(), rest: bytes.subarray(start + length) };
}

const texts = [
  ...[0, 1, 2, 3, 41, 42, 125, 126, 127, SMALL_FRAME].map((length) => "x".repeat(length)),
  ...[41, 42, 62, 63, 64, SMALL_FRAME].map((length) => "ü".repeat(length)),
  ...[41, 42, 43, SMALL_FRAME].map((length) => "✓".repeat(length)),
  "🦊".repeat(SMALL_FRAME / 2),
];

describe.each([
  ["a server's", false],
  ["a client's", true],
])("%s frames", (_, isMasked) => {
  test("say their texts, with the shortest length that fits", () => {
    for (const text of texts) {
      const buffer = new FrameBuffer();
      buffer.add(text, isMasked);
      const size = buffer.size;
      const bytes = buffer.take();
      expect(bytes.length).toBe(size);
      expect(((bytes[1] as number) & 0x80) !== 0).toBe(isMasked);
      expect(read(bytes)).toEqual({ text, rest: Buffer.alloc(0) });
    }
  });

  test("follow one another without a gap, and are taken once", () => {
    const buffer = new FrameBuffer();
    for (const text of ["one", "two".repeat(50)]) buffer.add(text, isMasked);
    const first = buffer.take();
    buffer.add("three", isMasked);
    const { text, rest } = read(first);
    expect([text, read(rest).text]).toEqual(["one", "two".repeat(50)]);
    expect(read(buffer.take()).text).toBe("three");
    expect(buffer.size).toBe(0);
  });
});

test("a buffer has the room that it claims, for text of any alphabet", () => {
  const buffer = new FrameBuffer();
  let count = 0;
  while (buffer.hasRoomFor("✓".repeat(SMALL_FRAME))) {
    buffer.add("✓".repeat(SMALL_FRAME), true);
    count += 1;
  }
  expect(count).toBeGreaterThan(3);
  let rest = buffer.take();
  for (; count > 0; count -= 1) {
    const frame = read(rest);
    expect(frame.text).toBe("✓".repeat(SMALL_FRAME));
    rest = frame.rest;
  }
  buffer.clear();
  expect(buffer.hasRoomFor("x")).toBe(true);
});

test("no two masks are alike", () => {
  const buffer = new FrameBuffer();
  const masks = new Set<string>();
  for (let index = 0; index < 2_000; index += 1) {
    buffer.clear();
    buffer.add("", true);
    masks.add(buffer.take().toString("hex"));
  }
  expect(masks.size).toBeGreaterThan(1_990);
});

test("a frame for many clients is in memory of its own", () => {
  const [one, two] = [formatTextFrame("one"), formatTextFrame("two")];
  expect([read(one).text, read(two).text]).toEqual(["one", "two"]);
});
