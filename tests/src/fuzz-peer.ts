import type { RequestId } from "@idewire/core/internal";
import { createRequestLifecycle, openBatch } from "@idewire/core/internal";
import { Peer, type Transport } from "@idewire/core/rpc";
import fc from "fast-check";
import { expect } from "vitest";
import { anyText, mutated, seed } from "./fuzz.ts";

/** A transport with injected frames, so that exceptions of the peer are seen. */
class DirectTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: { code: number; reason: string }) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly bufferedAmount = 0;
  readonly sent: string[] = [];
  closed = false;

  send(frame: string): void {
    this.sent.push(frame);
  }

  close(): void {
    this.closed = true;
  }
}

interface FuzzedPeer {
  /** Injects a frame; returns the parsed answers when all handlers are done. */
  receive(frame: string): Promise<unknown[]>;
  readonly closed: boolean;
}

function fuzzedPeer(acceptsBatches: boolean): FuzzedPeer {
  const transport = new DirectTransport();
  const lifecycle = createRequestLifecycle({ cancelled: "cancel", progress: "progress" });
  const peer = new Peer(transport, { lifecycle, onerror: () => {} });
  peer.openBatch = acceptsBatches ? openBatch : undefined;
  peer.handle("echo", (call) => call.params);
  peer.handle("later", async (call) => call.params);
  peer.handle("steps", (call) => {
    call.progress({ progress: 1 });
    return call.signal.aborted;
  });
  peer.handle("throw", () => {
    throw new Error("bug");
  });
  peer.handle("reject", () => Promise.reject(new Error("bug")));
  // A request is pending all the time.
  for (let n = 0; n < 10; n += 1) peer.request("ask").catch(() => {});
  transport.sent.length = 0;
  return {
    get closed() {
      return transport.closed;
    },
    async receive(frame) {
      transport.onframe?.(frame);
      for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
      return transport.sent.splice(0).map((sent) => JSON.parse(sent) as unknown);
    },
  };
}

const ids = fc.oneof(
  fc.integer(),
  fc.double(),
  anyText,
  fc.constantFrom<unknown>(null, true, {}, [], 1_000_000, "1000000", undefined),
);
const methods = fc.oneof(
  fc.constantFrom("echo", "later", "steps", "throw", "reject", "nope", "__proto__", "cancel"),
  fc.constantFrom("progress", "constructor"),
  fc.jsonValue(),
);

const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>("2.0") }, fc.jsonValue()),
    id: ids,
    method: methods,
    params: fc.oneof(fc.dictionary(anyText, fc.jsonValue()), fc.jsonValue()),
    result: fc.jsonValue(),
    error: fc.oneof(
      fc.jsonValue(),
      fc.record({ code: fc.jsonValue(), message: fc.jsonValue(), data: fc.jsonValue() }),
    ),
  },
  { requiredKeys: [] },
);

/** A message that is usually valid. */
const call = fc
  .tuple(message, methods)
  .map(([{ result, error, ...rest }, method]) => ({ jsonrpc: "2.0", method, ...rest }));

const jsonFrames = fc
  .oneof(message, call, call, fc.array(fc.oneof(call, message, fc.jsonValue()), { maxLength: 5 }))
  .map((value) => JSON.stringify(value));

/** Frames of a hostile or broken client. */
const frames: fc.Arbitrary<string> = fc.oneof(
  jsonFrames,
  jsonFrames,
  mutated(jsonFrames),
  fc.json(),
  anyText,
);

/** The id of the answer to a message, if it must be answered. */
function deserved(value: unknown): readonly (RequestId | null)[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [null];
  const { jsonrpc, id, method } = value as Record<string, unknown>;
  if (method === undefined && ("result" in value || "error" in value)) return [];
  if (jsonrpc === "2.0" && typeof method === "string" && id === undefined) return [];
  const isId = typeof id === "string" || (typeof id === "number" && Number.isFinite(id));
  return [isId ? id : null];
}

/** The ids of the answers to a frame, by an independent reading of JSON-RPC. */
function deservedIds(frame: string, acceptsBatches: boolean): readonly (RequestId | null)[] {
  let value: unknown;
  try {
    value = JSON.parse(frame);
  } catch {
    return [null];
  }
  if (!Array.isArray(value)) return deserved(value);
  return acceptsBatches && value.length > 0 ? value.flatMap(deserved) : [null];
}

interface Answer {
  readonly id?: RequestId | null;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** In any order: longer calls are answered later. */
function sorted(answerIds: readonly unknown[]): string[] {
  return answerIds.map((id) => JSON.stringify(id)).sort();
}

/** Assertions are slow, so only differing pairs of tens of thousands are asserted. */
function expectSame(seen: readonly unknown[], expected: readonly unknown[]): void {
  if (JSON.stringify(seen) !== JSON.stringify(expected)) expect(seen).toEqual(expected);
}

/** The law: each frame gets the required answers, and the conversation continues. */
export async function fuzzPeer(acceptsBatches: boolean, numRuns: number): Promise<void> {
  const peer = fuzzedPeer(acceptsBatches);
  const law = fc.asyncProperty(frames, async (frame) => {
    const sent = (await peer.receive(frame)).flat() as Answer[];
    const answers = sent.filter(({ method }) => method === undefined);
    const ids = answers.map(({ id }) => id);
    expectSame(sorted(ids), sorted(deservedIds(frame, acceptsBatches)));
    const isEither = (answer: Answer) => "result" in answer !== "error" in answer;
    if (!answers.every(isEither)) expect(answers, "a result or an error").toBe(frame);
    const alive = '{"jsonrpc":"2.0","id":"alive","method":"echo","params":{}}';
    expectSame(await peer.receive(alive), [{ jsonrpc: "2.0", id: "alive", result: {} }]);
  });
  await fc.assert(law, { seed, numRuns });
  expect(peer.closed).toBe(false);
}
