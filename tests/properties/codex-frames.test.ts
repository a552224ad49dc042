import { codex, openIdeSession } from "@idewire/core";
import type { CloseReason, Transport } from "@idewire/core/rpc";
import { fakeEditorHost } from "@idewire/core/testing";
import { lengthPrefixFraming } from "@idewire/node-server/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { announceSeed, anyText, mutated, seed } from "../src/fuzz.ts";

announceSeed();

/** Each case is a whole connection. */
const RUNS = 1_000;

/** The editor's end of a connection of Codex CLI, to which bytes are written. */
function connect() {
  const answers: Record<string, unknown>[] = [];
  const errors: unknown[] = [];
  const transport: Transport & { reason?: CloseReason } = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    bufferedAmount: 0,
    send: (frame) => void answers.push(JSON.parse(frame) as Record<string, unknown>),
    close(code = 1000, reason = "") {
      if (transport.reason !== undefined) return;
      transport.reason = { code, reason };
      framing.stop();
      queueMicrotask(() => transport.onclose?.({ code, reason }));
    },
  };
  const framing = lengthPrefixFraming.read(
    {
      frame: (text) => transport.onframe?.(text),
      broken: (code, why) => transport.close(code, why),
    },
    1 << 16,
  );
  const onerror = (error: unknown) => void errors.push(error);
  openIdeSession(codex.wire?.(transport) ?? transport, fakeEditorHost(), codex, {
    peer: { onerror },
  });
  return { transport, framing, answers, errors };
}

function bytesOf(text: string): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

/** Complete JSON texts; other texts may change when they are written as bytes. */
const request = fc
  .record(
    {
      type: fc.constantFrom("request", "broadcast", "client-discovery-request", "response", "x"),
      requestId: fc.oneof(fc.constantFrom("a", "b"), anyText, fc.integer()),
      sourceClientId: fc.oneof(fc.constant("codex-tui"), fc.anything()),
      version: fc.anything(),
      method: fc.oneof(fc.constantFrom("ide-context", "initialize", "tools/call"), anyText),
      params: fc.oneof(
        fc.record({ workspaceRoot: fc.oneof(fc.constantFrom("/vault", "/vault/a", "/"), anyText) }),
        fc.anything(),
      ),
      request: fc.oneof(fc.record({ method: fc.constant("ide-context") }), fc.anything()),
    },
    { requiredKeys: ["type"] },
  )
  .map((message) => toJson(message));

/** Values that JSON cannot represent, such as a bigint, are left out. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value, (_, each: unknown) =>
      typeof each === "bigint" ? undefined : each,
    );
  } catch {
    return "{}";
  }
}

const frames = fc.array(fc.oneof(request, mutated(request), fc.json(), anyText), { maxLength: 6 });

test("whatever frames arrive, in whatever pieces, each request is answered once and nothing fails", async () => {
  const cases = fc.asyncProperty(
    frames,
    fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
    async (texts, sizes) => {
      const { transport, framing, answers, errors } = connect();
      const bytes = Buffer.concat(texts.map(bytesOf));
      for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
        const size = sizes[piece % sizes.length] ?? 1;
        framing.push(bytes.subarray(at, at + size));
        at += size;
      }
      const last = { type: "request", requestId: "last", method: "ide-context" };
      framing.push(bytesOf(JSON.stringify({ ...last, params: { workspaceRoot: "/vault" } })));
      await new Promise(setImmediate);
      expect(errors).toEqual([]);
      const ids = answers.map(({ requestId }) => requestId);
      for (const { type, resultType, error, result, response } of answers) {
        const answer = resultType === "error" ? error : result;
        expect(type === "response" ? answer : response).toBeTruthy();
      }
      const isOpen = transport.reason === undefined;
      expect(ids.filter((id) => id === "last")).toHaveLength(isOpen ? 1 : 0);
    },
  );
  await fc.assert(cases, { seed, numRuns: RUNS });
});

test("whatever bytes arrive, nothing fails, and no more is buffered than has arrived", async () => {
  const cases = fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 })), async (chunks) => {
    const { framing, errors } = connect();
    let size = 0;
    for (const chunk of chunks) {
      size += chunk.length;
      framing.push(Buffer.from(chunk));
      expect(framing.heldBytes).toBeLessThanOrEqual(size);
    }
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });
  await fc.assert(cases, { seed, numRuns: RUNS });
});
