import { MAX_FRAME_BYTES } from "@idewire/core/internal";
import { CloseCode } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import type { FramingKind } from "./framing.ts";
import { contentLengthFraming, lengthPrefixFraming } from "./length-framing.ts";

function reader(kind: FramingKind, maxBytes = 1_000) {
  const frames: string[] = [];
  const broken: [number, string][] = [];
  const framing = kind.read(
    {
      frame: (text) => void frames.push(text),
      broken: (code, why) => void broken.push([code, why]),
    },
    maxBytes,
  );
  return {
    frames,
    broken,
    framing,
    push: (text: string | Buffer) => framing.push(Buffer.from(text)),
  };
}

function bytesOf(kind: FramingKind, frame: string): Buffer {
  return Buffer.concat(kind.write(frame).map((piece) => Buffer.from(piece as string)));
}

const kinds: [string, FramingKind][] = [
  ["Content-Length", contentLengthFraming],
  ["a prefix of 4 bytes", lengthPrefixFraming],
];

test.each(kinds)("frames with %s are found wherever the bytes are cut", (_, kind) => {
  const bodies = ["{}", '{"ü":"🙂"}', "[]", "", "x".repeat(300)];
  const bytes = Buffer.concat(bodies.map((body) => bytesOf(kind, body)));
  for (let size = 1; size <= bytes.length; size++) {
    const { frames, broken, push } = reader(kind);
    for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
    expect([...frames, ...broken]).toEqual(bodies);
  }
});

test.each(kinds)("a frame with %s may be as long as allowed, and no longer", (_, kind) => {
  const { frames, broken, push } = reader(kind, 5);
  push(bytesOf(kind, "12345"));
  expect(broken).toEqual([]);
  push(bytesOf(kind, "123456"));
  push(bytesOf(kind, "1"));
  expect(frames).toEqual(["12345"]);
  expect(broken).toEqual([[CloseCode.MessageTooBig, "a message of 6 bytes, more than 5"]]);
});

test("a frame with an announced length of 4 GiB is refused before it arrives", () => {
  const { broken, framing, push } = reader(lengthPrefixFraming, MAX_FRAME_BYTES);
  push(Buffer.from([0xff, 0xff, 0xff]));
  expect(broken).toEqual([]);
  push(Buffer.from([0xff]));
  const why = "a message of 4294967295 bytes, more than 16777216";
  expect(broken).toEqual([[CloseCode.MessageTooBig, why]]);
  expect(framing.heldBytes).toBe(0);
});

test("a frame of the longest length takes no more memory than what has arrived of it", () => {
  const { framing, push } = reader(lengthPrefixFraming, MAX_FRAME_BYTES);
  push(Buffer.from([0, 0, 0, 1, 0x7b]));
  expect(framing.heldBytes).toBe(1);
  for (let count = 0; count < 3_000; count++) push(Buffer.from([0x20]));
  expect(framing.heldBytes).toBe(3_001);
  expect(framing.partial).toBe(`{${" ".repeat(3_000)}`);
});

test("LSP frames may have other headers, in any letter case", () => {
  const { frames, push } = reader(contentLengthFraming);
  push("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2\r\n\r\n{}");
  expect(frames).toEqual(["{}"]);
});

test.each([
  ["Usage: server [--stdio]\n", "no header with Content-Length"],
  ["\n", "no header with Content-Length"],
  ["Content-Type: x\r\n\r\n{}", "no header with Content-Length"],
  ["Content-Length: -2\r\n\r\n{}", "no header with Content-Length"],
  ["Content-Length: 1001\r\n\r\n", "a message of 1001 bytes, more than 1000"],
  [`Content-Length: 2\r\nX: ${"x".repeat(5_000)}`, "a header without an end"],
])("frames of LSP are no longer searched for after %j", (text, why) => {
  const { frames, broken, push } = reader(contentLengthFraming);
  push(text);
  push("Content-Length: 2\r\n\r\n{}");
  expect({ frames, broken: broken.map(([, each]) => each) }).toEqual({ frames: [], broken: [why] });
});
