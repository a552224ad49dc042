import { McpClient } from "@idewire/core/client";
import { type Clock, IdewireError, RpcError, type Transport } from "@idewire/core/rpc";
import { createHttpTransport } from "@idewire/http";
import fc from "fast-check";
import { expect } from "vitest";
import { anyText, mutated, seed } from "./fuzz.ts";

const TOKEN = "secret-of-the-test-0123456789";
const KEY = "key/of+the/test";
const URL_OF_SERVER = `https://server.example/mcp?key=${KEY}`;
/** Verbatim, in JSON and in addresses. */
const secrets = [TOKEN, KEY, KEY.replaceAll("/", "\\/"), encodeURIComponent(KEY), inUnits(TOKEN)];
const MAX_FRAME_BYTES = 2_000;
/** How long a server that always reports progress may delay the client. */
const TIMEOUT = { timeoutMs: 10 };
/** Far above the duration of a case: longer means that it hangs. */
const HANGS_MS = 20_000;

/** Pauses end at once, so that retries are tested as well. */
const fastClock: Clock = {
  setTimeout: (run) => setTimeout(run, 0),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

function inUnits(text: string): string {
  const units = Array.from(text, (unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${unit}`).join("");
}

/**
 * A body in pieces, which may split characters.
 * @param onend called when the reader has all of it, or cancels the rest
 */
function inPieces(
  bytes: Uint8Array,
  sizes: readonly number[],
  onend = () => {},
): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const size = sizes[turn++ % sizes.length] ?? 1;
    if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + size));
    else {
      controller.close();
      onend();
    }
    at += size;
  };
  // Nothing is read ahead.
  return new ReadableStream({ pull, cancel: onend }, { highWaterMark: 0 });
}

const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");

/** A possible spelling of an event, and its message. */
const event = fc
  .record({
    message: fc.record({ method: anyText, params: fc.dictionary(anyText, fc.jsonValue()) }),
    indent: fc.constantFrom(0, 1),
    end: lineEnd,
    before: fc.array(fc.constantFrom(": alive", "id: 7", "retry: 1", "x: y", "event"), {
      maxLength: 3,
    }),
  })
  .map(({ message, indent, end, before }) => {
    const json = JSON.stringify({ jsonrpc: "2.0", ...message }, null, indent);
    // The space after the colon may be left out if the value does not start with one.
    const lines = json.split("\n").map((line) => `data:${indent === 0 ? "" : " "}${line}`);
    return { json, text: [...before, ...lines, "", ""].join(end) };
  });

/** The law: a stream yields the written messages, however it is spelled and split. */
export async function fuzzEvents(numRuns: number): Promise<void> {
  const law = fc.asyncProperty(fc.array(event, { maxLength: 5 }), pieces, async (events, sizes) => {
    const bytes = new TextEncoder().encode(events.map(({ text }) => text).join(""));
    const frames = await framesOf(bytes, sizes, events.length);
    const expected = events.map(({ json }) => json);
    if (JSON.stringify(frames) !== JSON.stringify(expected)) expect(frames).toEqual(expected);
  });
  await fc.assert(law, { seed, numRuns });
}

function framesOf(
  bytes: Uint8Array,
  sizes: readonly number[],
  count: number,
): Promise<readonly string[]> {
  const frames: string[] = [];
  return new Promise((resolve) => {
    const fail = () => resolve(frames);
    // The end of the stream after the answer is not reported.
    const body = inPieces(bytes, sizes, () => void setTimeout(fail));
    const transport = open(async () => eventStream(body));
    transport.requests = { awaits: () => frames.length < count, fail };
    transport.onframe = (frame) => {
      frames.push(frame);
    };
    transport.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
}

function eventStream(body: ReadableStream<Uint8Array> | string): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function open(
  fetch: (url: string, init?: RequestInit) => Promise<Response>,
  maxFrameBytes = 1 << 24,
): Transport {
  return createHttpTransport(URL_OF_SERVER, {
    fetch,
    clock: fastClock,
    headers: { authorization: `Bearer ${TOKEN}`, "x-api-key": TOKEN },
    listen: false,
    maxFrameBytes,
  });
}

/** The answers of a hostile server. */
interface HostileAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly sizes: readonly number[];
  /** Whether the connection breaks at the end of the body. */
  readonly breaks: boolean;
}

const GOOD = '{"jsonrpc":"2.0","id":1000001,"result":{"content":[]}}';
const answerText = fc.oneof(
  fc.constantFrom(
    GOOD,
    '{"jsonrpc":"2.0","id":1000001,"result":{"resultType":"input_required","requestState":"s"}}',
    '{"jsonrpc":"2.0","id":1000001,"result":{"resultType":"task","taskId":"t"}}',
    '{"jsonrpc":"2.0","id":1000001,"error":{"code":-32020,"message":"m"}}',
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1000001}}',
    `Bearer ${TOKEN} is wrong`,
    ...secrets.flatMap((secret) => [secret, `{"error":{"code":1,"message":"${secret}"}}`]),
  ),
  fc.json(),
  anyText,
);
/** Valid answers, as JSON or as an event. */
const goodAnswer: fc.Arbitrary<Pick<HostileAnswer, "headers" | "body">> = fc.constantFrom(
  { headers: [["content-type", "application/json"]], body: GOOD },
  { headers: [["content-type", "text/event-stream"]], body: `id: 1\ndata: ${GOOD}\n\n` },
  { headers: [["content-type", "text/event-stream"]], body: "id: 1\nretry: 5\ndata:\n\n" },
);
const streamText = fc
  .array(
    fc.tuple(fc.constantFrom("data: ", "id: ", "event: ", "retry: ", ":", ""), answerText, lineEnd),
    {
      maxLength: 8,
    },
  )
  .map((lines) => lines.map((line) => line.join("")).join(""));
const longText = fc.constantFrom("x", "data: x\n", "é").map((text) => text.repeat(MAX_FRAME_BYTES));
const body = fc.oneof(
  { weight: 5, arbitrary: fc.oneof(answerText, streamText, mutated(streamText)) },
  { weight: 1, arbitrary: longText },
);
const headerValue = fc.oneof(
  fc.constantFrom(
    ...[
      "application/json",
      "text/event-stream",
      "text/event-stream; charset=x",
      "TEXT/EVENT-STREAM",
    ],
    ...["https://other.example/", "/mcp/", "//other.example", "javascript:alert(1)", "1e9", "-1"],
    ...[`Bearer realm="${TOKEN}"`, 'Bearer resource_metadata="http://169.254.169.254/"', "gzip"],
  ),
  fc.string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  }),
);
const headerName = fc.constantFrom(
  ...["content-type", "mcp-session-id", "location", "www-authenticate", "retry-after"],
  ...["mcp-protocol-version", "content-length", "last-event-id", "set-cookie"],
);
const status = fc.oneof(
  fc.constantFrom(200, 200, 200, 202, 204, 301, 307, 308, 400, 401, 403, 404, 405, 429, 500, 503),
  fc.integer({ min: 200, max: 599 }),
);
const anyAnswer = fc.record({
  status,
  headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
  body,
});
const hostileAnswer: fc.Arbitrary<HostileAnswer> = fc
  .tuple(
    fc.oneof(
      anyAnswer,
      anyAnswer,
      goodAnswer.map((good) => ({ status: 200, ...good })),
    ),
    fc.record({
      sizes: fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 4 }),
      breaks: fc.boolean(),
    }),
  )
  .map(([answer, how]) => ({ ...answer, ...how }));

function respond({ status, headers, body, sizes, breaks }: HostileAnswer): Response {
  const isEmpty = [204, 205, 304].includes(status);
  const given = new Headers();
  for (const [name, value] of headers) given.append(name, value.trim());
  const whole = inPieces(new TextEncoder().encode(body), sizes);
  return new Response(isEmpty ? null : breaks ? breakingOff(whole) : whole, {
    status,
    headers: given,
  });
}

function breakingOff(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const flush = () => {
    throw new TypeError("terminated");
  };
  return stream.pipeThrough(new TransformStream({ flush }));
}

/** A client whose server completes the handshake, then gives the answers of a case in turn. */
async function connectHostile(isModern: boolean) {
  const state: { answers: readonly HostileAnswer[]; turn: number; urls: Set<string> } = {
    answers: [],
    turn: 0,
    urls: new Set(),
  };
  const fetch = async (url: string, init?: RequestInit) => {
    state.urls.add(new URL(url).origin);
    const { id, method } = JSON.parse(String(init?.body ?? "{}"));
    const handshake = handshakes[method as keyof typeof handshakes];
    if (handshake !== undefined) return Response.json({ jsonrpc: "2.0", id, result: handshake });
    const answer = state.answers[state.turn++ % Math.max(1, state.answers.length)];
    return answer === undefined ? new Response(null, { status: 202 }) : respond(answer);
  };
  const client = await McpClient.connect(open(fetch, MAX_FRAME_BYTES), {
    name: "t",
    version: "1",
    ...(isModern && { era: "modern" }),
  });
  return { client, state };
}

const capabilities = { tools: {} };
const serverInfo = { name: "s", version: "1" };
const handshakes = {
  "server/discover": { supportedVersions: ["2026-07-28"], capabilities },
  initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo },
} as const;

/**
 * The law: whatever the server answers, a call ends with an answer or with an error of ours; no error contains
 * a secret of the client, and nothing is sent to another origin.
 * @returns the number of calls by outcome: `answered`, `refused` by the server, or the code of the error
 */
export async function fuzzAnswers(
  isModern: boolean,
  numRuns: number,
): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  const cases = fc.array(hostileAnswer, { minLength: 1, maxLength: 3 });
  const law = fc.asyncProperty(cases, async (answers) => {
    const { client, state } = await connectHostile(isModern);
    state.answers = answers;
    const error = await within(client.callTool("t", {}, TIMEOUT).catch((cause: unknown) => cause));
    const isOurs = error instanceof IdewireError || error instanceof RpcError;
    if (error instanceof Error && !isOurs) throw error;
    const end = error instanceof IdewireError ? error.code : isOurs ? "refused" : "answered";
    ends.set(end, (ends.get(end) ?? 0) + 1);
    const message = isOurs ? error.message : "";
    for (const secret of secrets) {
      if (message.includes(secret)) expect(message).not.toContain(secret);
    }
    if (state.urls.size !== 1) expect([...state.urls]).toEqual([new URL(URL_OF_SERVER).origin]);
    client.close();
    await within(client.closed);
  });
  await fc.assert(law, { seed, numRuns });
  return ends;
}

async function within<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hangs = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("hangs")), HANGS_MS);
  });
  try {
    return await Promise.race([promise, hangs]);
  } finally {
    clearTimeout(timer);
  }
}
