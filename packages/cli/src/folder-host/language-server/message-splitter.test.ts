import { describe, expect, test } from "vitest";
import { MessageSplitter } from "./message-splitter.ts";

function splitter(maxBytes = 1_000) {
  const messages: string[] = [];
  const broken: string[] = [];
  const target = new MessageSplitter(maxBytes, {
    message: (text) => void messages.push(text),
    broken: (why) => void broken.push(why),
  });
  return { messages, broken, push: (text: string | Buffer) => target.push(Buffer.from(text)) };
}

function frame(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

describe("messages", () => {
  test("are found wherever the bytes are cut", () => {
    const bodies = ["{}", '{"ü":"🙂"}', "[]", ""];
    const bytes = Buffer.from(bodies.map(frame).join(""));
    for (let size = 1; size <= bytes.length; size++) {
      const { messages, broken, push } = splitter();
      for (let at = 0; at < bytes.length; at += size) push(bytes.subarray(at, at + size));
      expect([...messages, ...broken]).toEqual(bodies);
    }
  });

  test("may have other headers, in any case", () => {
    const { messages, push } = splitter();
    push("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2\r\n\r\n{}");
    expect(messages).toEqual(["{}"]);
  });

  test.each([
    ["Usage: server [--stdio]\n", "no header with Content-Length"],
    ["\n", "no header with Content-Length"],
    ["Content-Type: x\r\n\r\n{}", "no header with Content-Length"],
    ["Content-Length: -2\r\n\r\n{}", "no header with Content-Length"],
    ["Content-Length: 1001\r\n\r\n", "a message of 1001 bytes, more than 1000"],
    [`Content-Length: 2\r\nX: ${"x".repeat(5_000)}`, "a header without an end"],
  ])("are no longer searched for after %j", (text, why) => {
    const { messages, broken, push } = splitter();
    push(text);
    push(frame("{}"));
    expect({ messages, broken }).toEqual({ messages: [], broken: [why] });
  });
});
