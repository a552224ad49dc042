import { describe, expect, test } from "vitest";
import { formatTextFrame } from "./text-frame.ts";

const LENGTH = 1 << 10;

/** Reads one text frame (RFC 6455 section 5.2). */
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
  ...[0, 1, 2, 3, 41, 42, 125, 126, 127, LENGTH].map((length) => "x".repeat(length)),
  ...[41, 42, 62, 63, 64, LENGTH].map((length) => "ü".repeat(length)),
  ...[41, 42, 43, LENGTH].map((length) => "✓".repeat(length)),
  "🦊".repeat(LENGTH / 2),
];

describe.each([
  ["a server's", false],
  ["a client's", true],
])("%s frames", (_, isMasked) => {
  test("hold their texts, with the shortest length that fits", () => {
    for (const text of texts) {
      const bytes = formatTextFrame(text, isMasked);
      expect(((bytes[1] as number) & 0x80) !== 0).toBe(isMasked);
      expect(read(bytes)).toEqual({ text, rest: Buffer.alloc(0) });
    }
  });

  test("share no bytes", () => {
    const [one, two] = [formatTextFrame("one", isMasked), formatTextFrame("two", isMasked)];
    expect([read(one).text, read(two).text]).toEqual(["one", "two"]);
  });
});

test("no two masks are alike", () => {
  const masks = Array.from({ length: 2_000 }, () => formatTextFrame("", true).toString("hex"));
  expect(new Set(masks).size).toBeGreaterThan(1_990);
});

test("a queued frame retains no other memory", () => {
  const { buffer, length } = formatTextFrame("one", false, true);
  expect(buffer.byteLength).toBe(length);
});
