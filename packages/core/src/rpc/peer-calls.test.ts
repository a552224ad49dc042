import { expect, test } from "vitest";
import { RpcError } from "../errors.ts";
import { deferred } from "../testing/deferred.ts";
import { peerFixture } from "../testing/peer-fixture.ts";
import type { Call } from "./call.ts";
import { SerializedJson } from "./message.ts";

const ids = [0, 1, -1, 1.5, 2 ** 53 - 1, 1e300, "", "0", "a b", "__proto__", "\ud800"];

test.each([...ids, "x".repeat(1e5)])(
  "a request with id %j is answered with the same id of the same type",
  async (id) => {
    const { peer, other } = peerFixture();
    peer.handle("echo", (call) => call.params);
    other.request(id, "echo", { a: 1 });
    expect(await other.take()).toEqual([{ jsonrpc: "2.0", id, result: { a: 1 } }]);
  },
);

test("a handler sees id, method and params; params that were absent are absent", async () => {
  const { peer, other } = peerFixture();
  const seen: unknown[] = [];
  peer.handle("look", (call) => void seen.push([call.id, call.method, call.params]));
  other.request("r", "look");
  other.request(2, "look", {});
  other.notify("look", { n: 1 });
  await other.take();
  expect(seen).toEqual([
    ["r", "look", undefined],
    [2, "look", {}],
    [undefined, "look", { n: 1 }],
  ]);
});

test.each([
  [undefined, {}],
  [null, null],
  [false, false],
  [0, 0],
  ["", ""],
  [[], []],
  [{ nested: [1, null] }, { nested: [1, null] }],
])("the result %j crosses the wire as %j", async (result, wire) => {
  const { peer, other } = peerFixture();
  peer.handle("give", () => result);
  peer.handle("promise", async () => result);
  other.request(1, "give");
  other.request(2, "promise");
  expect(await other.take()).toEqual([
    { jsonrpc: "2.0", id: 1, result: wire },
    { jsonrpc: "2.0", id: 2, result: wire },
  ]);
});

test("an answer has a result or an error, never both", async () => {
  const { peer, other } = peerFixture();
  peer.handle("right", () => 1);
  other.request(1, "right");
  other.request(2, "wrong");
  const [right, wrong] = await other.take();
  expect(Object.keys(right ?? {}).sort()).toEqual(["id", "jsonrpc", "result"]);
  expect(Object.keys(wrong ?? {}).sort()).toEqual(["error", "id", "jsonrpc"]);
});

test("a notification is never answered, whatever its handler does", async () => {
  const { peer, other, errors } = peerFixture();
  peer.handle("value", () => 1);
  peer.handle("promise", async () => 1);
  peer.handle("rpc error", () => {
    throw new RpcError(1, "refused");
  });
  peer.handle("rejected rpc error", async () => {
    throw new RpcError(1, "refused");
  });
  for (const method of ["value", "promise", "rpc error", "rejected rpc error", "unknown"]) {
    other.notify(method);
  }
  expect(await other.take()).toEqual([]);
  expect(errors).toEqual([]);
});

test("synchronous handlers answer in the order of the requests", async () => {
  const { peer, other } = peerFixture();
  peer.handle("n", (call) => call.params?.["n"]);
  for (let n = 0; n < 50; n += 1) other.request(n, "n", { n });
  const answers = await other.take();
  expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

test("a slow call does not delay later ones", async () => {
  const { peer, other } = peerFixture();
  const slow = deferred<string>();
  peer.handle("slow", () => slow.promise);
  peer.handle("fast", () => "fast");
  other.request(1, "slow");
  other.request(2, "fast");
  expect((await other.take()).map(({ id }) => id)).toEqual([2]);
  slow.resolve("slow");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "slow" }]);
});

test("an RpcError that a handler throws or rejects with is the answer", async () => {
  const { peer, other, errors } = peerFixture();
  peer.handle("throw", () => {
    throw new RpcError(-32_050, "not today", { until: "tomorrow" });
  });
  peer.handle("reject", () => Promise.reject(new RpcError(7, "no")));
  other.request(1, "throw");
  other.request(2, "reject");
  expect(await other.take()).toEqual([
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_050, message: "not today", data: { until: "tomorrow" } },
    },
    { jsonrpc: "2.0", id: 2, error: { code: 7, message: "no" } },
  ]);
  expect(errors).toEqual([]);
});

const bug = new Error("secret: the token is 1234");
const circular: Record<string, unknown> = {};
circular["self"] = circular;
let deep: unknown[] = [];
for (let level = 0; level < 100_000; level += 1) deep = [deep];

const bugs: readonly [string, (call: Call) => unknown][] = [
  [
    "throws an Error",
    () => {
      throw bug;
    },
  ],
  ["rejects with an Error", () => Promise.reject(bug)],
  [
    "throws a string",
    () => {
      throw "secret";
    },
  ],
  ["rejects with nothing", () => Promise.reject(undefined)],
  ["gives a circular result", () => circular],
  ["gives a circular result later", async () => circular],
  ["gives a BigInt", () => ({ n: 1n })],
  ["gives a result that is nested too deep", () => deep],
  ["gives a function", () => () => 1],
  ["gives a symbol later", async () => Symbol("s")],
  [
    "throws an RpcError whose data cannot be written",
    () => {
      throw new RpcError(1, "m", circular);
    },
  ],
  ["rejects with such an RpcError", () => Promise.reject(new RpcError(1, "m", { n: 1n }))],
];

test.each(bugs)("when a handler %s the caller receives only Internal error", async (_, handler) => {
  const { peer, other, errors } = peerFixture();
  peer.handle("bug", handler);
  peer.handle("ok", () => "ok");
  other.request(1, "bug");
  expect(await other.take()).toEqual([
    { jsonrpc: "2.0", id: 1, error: { code: -32_603, message: "Internal error" } },
  ]);
  expect(errors.length).toBe(1);
  // The id can be used again, and the connection remains open.
  other.request(1, "ok");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "ok" }]);
});

test("onerror receives the error that a handler threw", async () => {
  const { peer, other, errors } = peerFixture();
  peer.handle("bug", () => {
    throw bug;
  });
  peer.handle("notice", () => Promise.reject(bug));
  other.request(1, "bug");
  other.notify("notice");
  await other.take();
  expect(errors).toEqual([bug, bug]);
});

test("a thenable whose then throws is a bug like any other", async () => {
  const { peer, other, errors } = peerFixture();
  const broken = {
    // biome-ignore lint/suspicious/noThenProperty: the thing under test
    then() {
      throw bug;
    },
  };
  peer.handle("bug", () => broken);
  other.request(1, "bug");
  expect((await other.take())[0]?.error).toEqual({ code: -32_603, message: "Internal error" });
  expect(errors).toEqual([bug]);
});

test("serialised JSON is inserted into the answer unchanged", async () => {
  const { peer, other } = peerFixture();
  peer.handle("list", () => new SerializedJson('{"tools":[ ]}'));
  peer.handle("later", async () => new SerializedJson("[1]"));
  other.request('quoted "id"', "list");
  other.request(2, "later");
  const answers = await other.take();
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 'quoted "id"', result: { tools: [] } },
    { jsonrpc: "2.0", id: 2, result: [1] },
  ]);
});

test("a method's handler has precedence over the general one, and the newest over older ones", async () => {
  const general = { handle: (call: Call) => `general ${call.method}` };
  const { peer, other } = peerFixture({ handler: general });
  peer.handle("own", () => "first");
  peer.handle("own", () => "second");
  other.request(1, "own");
  other.request(2, "else");
  expect((await other.take()).map(({ result }) => result)).toEqual(["second", "general else"]);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])(
  "%j is a method name like any other",
  async (method) => {
    const { peer, other } = peerFixture();
    other.request(1, method);
    expect((await other.take())[0]?.error).toMatchObject({ code: -32_601 });
    peer.handle(method, (call) => call.params);
    other.send(
      `{"jsonrpc":"2.0","id":2,"method":${JSON.stringify(method)},"params":{"__proto__":{"a":1}}}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(other.frames).toEqual(['{"jsonrpc":"2.0","id":2,"result":{"__proto__":{"a":1}}}']);
    expect(({} as { a?: number }).a).toBe(undefined);
  },
);

test("a lone surrogate is echoed unchanged, and is escaped on the wire", async () => {
  const { peer, other } = peerFixture();
  peer.handle("echo", (call) => call.params);
  other.send('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"\ud83d and \\udc00"}}');
  const [answer] = await other.take();
  expect(answer?.result).toEqual({ text: "\ud83d and \udc00" });
  other.send('{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"\ud83d"}}');
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(other.frames.length).toBe(1);
  expect(other.frames.filter((frame) => /\p{Cs}/u.test(frame))).toEqual([]);
});

test("a handler may notify its caller before it answers", async () => {
  const { peer, other } = peerFixture();
  peer.handle("work", (call) => {
    call.notify("news", { n: 1 });
    return "done";
  });
  other.request(1, "work");
  expect(await other.take()).toEqual([
    { jsonrpc: "2.0", method: "news", params: { n: 1 } },
    { jsonrpc: "2.0", id: 1, result: "done" },
  ]);
});
