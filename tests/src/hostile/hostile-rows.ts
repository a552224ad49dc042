import type { MediumName } from "./hostile-ends.ts";

/** A hostile act, and its required result on every transport. */
export interface HostileRow {
  readonly title: string;
  /** Whether it is before `initialize`; a revision other than the newest. */
  readonly fixture?: "early" | "2025-03-26";
  /** The frames sent at once. Bytes are a frame that is not text. */
  readonly sends?: () => readonly (string | Buffer)[];
  /** Or another act. */
  readonly does?: "never reads" | "breaks off within a frame" | "disconnects with a diff open";
  /** The answers in order, each with the members to compare; afterwards a ping is still answered. */
  readonly answers?: readonly Answer[];
  /** Or the reason of the disconnection. */
  readonly closes?: Closing;
  /** The transports on which it cannot be tested, with the reason. */
  readonly untestable?: Partial<Readonly<Record<MediumName, string>>>;
  /** The transports with a different result, with the reason. */
  readonly exceptions?: Partial<Readonly<Record<MediumName, Outcome & { readonly why: string }>>>;
}

/** The result: answers, or a disconnection. */
export interface Outcome {
  readonly answers?: readonly Answer[];
  readonly closes?: Closing;
}

export interface Closing {
  readonly code: number;
  readonly reason: RegExp;
}

export interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

const refused = (code: number, id: unknown = null): Answer => ({ id, error: { code } });
const fine = (id: unknown): Answer => ({ id, result: {} });
const frame = (message: object) => JSON.stringify({ jsonrpc: "2.0", id: 7, ...message });
const type =
  (...frames: readonly (string | Buffer)[]) =>
  () =>
    frames;
const ping = frame({ method: "ping" });
const call = (name: unknown, args: unknown = {}, id: unknown = 7) =>
  frame({ id, method: "tools/call", params: { name, arguments: args } });
const diff = (id: number) =>
  call(
    "openDiff",
    { old_file_path: "/a", new_file_path: "/a", new_file_contents: "", tab_name: `${id}` },
    id,
  );
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const strings = "it carries strings, which cannot contain invalid UTF-8";
const noPart = "it carries a frame as a single value, which is never partial";
const noLimit =
  "the frame is in this process already, at the sender's cost, and is answered as any frame";
const stillUnderstood = {
  answers: [refused(-32700)],
  why: "a line ends whatever its bytes are, so that the next one can be parsed",
};
const silentError = {
  closes: { code: 1006, reason: /^$/ },
  why: "a browser's WebSocket reports an error only as a close",
};
const noHandshake = {
  closes: { code: 1006, reason: /^$/ },
  why: "it reports how the socket ended, and an end that does not read answers no close",
};
const broken = {
  "stdio streams": {
    closes: { code: 1006, reason: /was cut off/ },
    why: "a stream has no close code, and reports which of the two broke",
  },
  "stdio of a child process": {
    closes: { code: 1000, reason: /^exit code 0$/ },
    why: "the program in between exits normally when its other end has disconnected",
  },
};
const longParseError = { answers: [refused(-32700)], why: noLimit };

/** The acts of hostile and broken clients, in one table for all transports. */
export const hostileRows: readonly HostileRow[] = [
  { title: "invalid JSON", sends: type("{nope"), answers: [refused(-32700)] },
  { title: "an empty frame", sends: type(""), answers: [refused(-32700)] },
  { title: "NUL characters", sends: type("\0\0\0"), answers: [refused(-32700)] },
  {
    title: "a byte order mark before JSON",
    sends: type(`\uFEFF${ping}`),
    answers: [refused(-32700)],
  },
  {
    title: "two messages in one frame",
    sends: type(`${ping} ${ping}`),
    answers: [refused(-32700)],
  },
  {
    title: "bytes that are not UTF-8",
    sends: type(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    closes: { code: 1007, reason: /UTF-8/ },
    untestable: { memory: strings, MessageChannel: strings, Worker: strings },
    exceptions: {
      WebSocket: silentError,
      "stdio streams": stillUnderstood,
      "stdio of a child process": stillUnderstood,
    },
  },
  {
    title: "bare values",
    sends: type('"ping"', "42", "true", "null"),
    answers: Array(4).fill(refused(-32600)),
  },
  { title: "an empty batch", sends: type("[]"), answers: [refused(-32600)] },
  {
    title: "a batch where the revision has none",
    sends: type(`[${ping}]`),
    answers: [refused(-32600)],
  },
  {
    title: "a batch of more than may be in flight, where the revision has batches",
    fixture: "2025-03-26",
    sends: type(`[${Array(257).fill(ping).join(",")}]`),
    answers: [refused(-32600)],
  },
  { title: "no version", sends: type('{"id":7,"method":"ping"}'), answers: [refused(-32600, 7)] },
  {
    title: "a wrong version",
    sends: type(frame({ jsonrpc: 2, method: "ping" })),
    answers: [refused(-32600, 7)],
  },
  {
    title: "invalid ids",
    sends: type(
      ...[{}, [], null, true].map((id) => frame({ id, method: "ping" })),
      '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
    ),
    answers: Array(5).fill(refused(-32600)),
  },
  {
    // Rounded by JSON.parse: to echo its digits, every frame would have to be parsed twice.
    title: "an id of more than 53 bits, which is returned rounded",
    sends: type('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'),
    answers: [fine(2 ** 53)],
  },
  {
    title: "unusual ids",
    sends: type(...["", "__proto__", -1.5, "é\ud800"].map((id) => frame({ id, method: "ping" }))),
    answers: ["", "__proto__", -1.5, "é\ud800"].map(fine),
  },
  {
    title: "an id in use",
    sends: type(diff(7), diff(7), call("closeAllDiffTabs", {}, 8)),
    answers: [refused(-32600, 7), { id: 7 }, { id: 8 }],
  },
  {
    title: "params that are not an object",
    sends: type(frame({ method: "ping", params: [1] })),
    answers: [refused(-32602, 7)],
  },
  {
    title: "an unknown method",
    sends: type(frame({ method: "nope" })),
    answers: [refused(-32601, 7)],
  },
  {
    title: "methods and tools named after members of every object",
    sends: type(
      ...["__proto__", "constructor", "toString"].map((method) => frame({ method })),
      ...["__proto__", "constructor", "hasOwnProperty"].map((name) => call(name)),
    ),
    answers: [...Array(3).fill(refused(-32601, 7)), ...Array(3).fill(refused(-32602, 7))],
  },
  {
    title: "keys that would change every object",
    sends: type(
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
      '{"__proto__":{"jsonrpc":"2.0","id":7,"method":"ping"}}',
    ),
    answers: [fine(7), refused(-32600)],
  },
  {
    title: "JSON that is nested 100,000 deep",
    sends: type(
      deep(100_000),
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${deep(100_000)}}}`,
      `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"close_tab","arguments":{"tab_name":${deep(100_000)}}}}`,
    ),
    answers: Array(3).fill(refused(-32700)),
  },
  {
    title: "JSON that is nested 5,000 deep, and short",
    sends: type(
      deep(5_000),
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${deep(5_000)}}}`,
      `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"close_tab","arguments":{"tab_name":${deep(5_000)}}}}`,
    ),
    answers: [refused(-32600), refused(-32602, 7), refused(-32602, 8)],
  },
  {
    title: "answers, progress and cancellations of nothing",
    sends: type(
      '{"jsonrpc":"2.0","id":1000000,"result":{}}',
      '{"jsonrpc":"2.0","id":{},"error":"?"}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":"x"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}',
      '{"jsonrpc":"2.0","method":"notifications/none"}',
      '{"jsonrpc":"2.0","method":"ide_connected","params":{"pid":"x"}}',
    ),
    answers: [],
  },
  {
    title: "requests before initialize",
    fixture: "early",
    sends: type(
      ping,
      frame({ method: "tools/list" }),
      call("openDiff"),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    ),
    answers: [fine(7), refused(-32600, 7), refused(-32600, 7)],
  },
  {
    title: "an invalid initialize",
    fixture: "early",
    sends: type(
      frame({ method: "initialize" }),
      frame({ method: "initialize", params: { protocolVersion: 1 } }),
    ),
    answers: [refused(-32602, 7), refused(-32602, 7)],
  },
  {
    title: "a second initialize",
    sends: type(frame({ method: "initialize", params: {} })),
    answers: [refused(-32600, 7)],
  },
  {
    title: "a frame of more than 16 MiB",
    sends: () => ["x".repeat((1 << 24) + 1)],
    closes: { code: 1009, reason: /Max payload size exceeded|longer than 16777216 bytes/ },
    exceptions: {
      memory: longParseError,
      MessageChannel: longParseError,
      Worker: longParseError,
      WebSocket: silentError,
    },
  },
  {
    title: "10,000 slow requests at once",
    sends: () => Array.from({ length: 10_000 }, (_, id) => diff(id)),
    closes: { code: 1008, reason: /^More than 256 requests in flight$/ },
  },
  {
    title: "endless requests of a client that never reads",
    does: "never reads",
    closes: { code: 1008, reason: /^\d+ bytes unread, the limit is 16777216$/ },
    exceptions: { WebSocket: noHandshake },
    untestable: {
      memory: "both ends are in one process, and this one sees the close when it reads again",
      Worker: "the thread in between reads for it; see the row of MessageChannel",
    },
  },
  {
    title: "half a frame, and nothing after it",
    does: "breaks off within a frame",
    closes: { code: 1006, reason: /^$/ },
    untestable: { memory: noPart, MessageChannel: noPart, Worker: noPart },
    exceptions: broken,
  },
  {
    title: "a diff, and disconnects before its answer",
    does: "disconnects with a diff open",
    closes: { code: 1006, reason: /^$/ },
    exceptions: broken,
  },
];
