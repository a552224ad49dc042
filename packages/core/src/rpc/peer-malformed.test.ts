import { expect, test } from "vitest";
import { deferred } from "../testing/deferred.ts";
import { peerFixture } from "../testing/peer-fixture.ts";

/** Kind, frame, code and id of the answer. */
const malformed: readonly [string, string, number, unknown][] = [
  ["a frame that is not JSON", '{"jsonrpc":"2.0","id":1', -32_700, null],
  ["an object that goes on after its end", '{"jsonrpc":"2.0"}}', -32_700, null],
  ["an object that ends in a space that JSON does not allow", "{}\u00a0", -32_700, null],
  ["an empty frame", "", -32_700, null],
  ["a bare string", '"hello"', -32_600, null],
  ["an empty batch", "[]", -32_600, null],
  [
    "a batch where the revision has none",
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    -32_600,
    null,
  ],
  ["a missing jsonrpc", '{"id":7,"method":"ping"}', -32_600, 7],
  ["a wrong jsonrpc", '{"jsonrpc":"1.0","id":"seven","method":"ping"}', -32_600, "seven"],
  ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
  ["null as id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
  ["params that are no object", '{"jsonrpc":"2.0","id":8,"method":"ping","params":3}', -32_602, 8],
  ["a bare number", "42", -32_600, null],
  ["null", "null", -32_600, null],
  ["true", "true", -32_600, null],
  ["an empty object", "{}", -32_600, null],
  ["an id without a method", '{"jsonrpc":"2.0","id":5}', -32_600, 5],
  ["a method that is a number", '{"jsonrpc":"2.0","id":5,"method":1}', -32_600, 5],
  ["a method that is null", '{"jsonrpc":"2.0","id":5,"method":null}', -32_600, 5],
  ["true as id", '{"jsonrpc":"2.0","id":true,"method":"ping"}', -32_600, null],
  ["an array as id", '{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32_600, null],
  [
    "a number as id that no double holds",
    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    -32_600,
    null,
  ],
  ["a list of params", '{"jsonrpc":"2.0","id":6,"method":"ping","params":[1]}', -32_602, 6],
  ["null as params", '{"jsonrpc":"2.0","id":6,"method":"ping","params":null}', -32_602, 6],
  ["jsonrpc as a number", '{"jsonrpc":2,"id":6,"method":"ping"}', -32_600, 6],
  ["a byte order mark", '\uFEFF{"jsonrpc":"2.0","id":6,"method":"ping"}', -32_700, null],
  ["two messages in one frame", "{}{}", -32_700, null],
  ["a million open brackets", "[".repeat(1e6), -32_700, null],
  ["a million brackets", "[".repeat(1e6) + "]".repeat(1e6), -32_700, null],
  [
    "a request whose params are a million brackets",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(1e6)}${"]".repeat(1e6)}}`,
    -32_700,
    null,
  ],
  [
    "a request whose id is a million brackets",
    `{"jsonrpc":"2.0","id":${"[".repeat(1e6)}${"]".repeat(1e6)},"method":"ping"}`,
    -32_700,
    null,
  ],
  ["an unknown method", '{"jsonrpc":"2.0","id":9,"method":"nope"}', -32_601, 9],
];

test.each(malformed)("%s is answered, and the connection lives", async (_, frame, code, id) => {
  const { other, refused } = peerFixture();
  other.send(frame);
  other.request("alive", "ping");
  const [answer, alive] = await other.take();
  expect(answer).toEqual({ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } });
  expect(alive).toEqual({ jsonrpc: "2.0", id: "alive", result: "pong" });
  expect(refused.length).toBe(code === -32_601 ? 0 : 1);
});

test.each([" ", "\n", "\r\n", "\t"])("a request with %j around it is a request", async (space) => {
  const { other } = peerFixture();
  other.send(`${space}{"jsonrpc":"2.0","id":1,"method":"ping"}${space}`);
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "pong" }]);
});

const strays = [
  '{"jsonrpc":"2.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":"1000000","result":{}}',
  '{"jsonrpc":"2.0","id":1000000,"error":{"code":1,"message":"m"}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
  '{"jsonrpc":"2.0","result":null}',
];

test.each(strays)(
  "the stray response %s gets no answer, and the connection lives",
  async (frame) => {
    const { other } = peerFixture();
    other.send(frame);
    other.request("alive", "ping");
    expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: "alive", result: "pong" }]);
  },
);

test.each([
  ["client", true],
  ["server", false],
])(
  "an invalid answer fails the call of its id, of a %s too, and is not answered",
  async (_, isClient) => {
    const { peer, other, refused } = peerFixture({ isClient });
    for (const members of [{}, { error: 5 }, { error: null }, { value: 1 }]) {
      const call = peer.request("ask").catch((error: unknown) => error);
      const [{ id } = {}] = await other.take();
      const answer = { jsonrpc: "2.0", id, ...members };
      other.send(answer);
      expect(await call).toMatchObject({
        code: "protocol",
        message: `The other end answered ask with ${JSON.stringify(answer)}`.slice(0, 94),
      });
    }
    expect(await other.take()).toEqual([]);
    expect(refused).toEqual([]);
  },
);

test("to a client, a message without a method is an answer: an unexpected one is not answered", async () => {
  const { other, refused } = peerFixture({ isClient: true });
  for (const stray of [
    '{"jsonrpc":"2.0","id":5}',
    '{"jsonrpc":"2.0","id":"a"}',
    '{"id":5}',
    "{}",
  ]) {
    other.send(stray);
  }
  other.request("alive", "ping");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: "alive", result: "pong" }]);
  expect(refused).toEqual(Array(4).fill("No request waits for this answer"));
});

test("to a server that asks, too, an id without a method is a bad request, unless the id is its own", async () => {
  const { peer, other } = peerFixture();
  const call = peer.request("ask");
  await other.take();
  other.send('{"jsonrpc":"2.0","id":5}');
  const error = { code: -32_600, message: expect.stringContaining('"method"') };
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 5, error }]);
  other.answer(1_000_000, "yes");
  expect(await call).toBe("yes");
});

test("a refusal briefly names the value seen and what was expected", async () => {
  const { other } = peerFixture();
  other.send(`{"jsonrpc":"${"9".repeat(1e6)}","id":1,"method":"ping"}`);
  const [answer] = await other.take();
  const { message } = (answer as { error: { message: string } }).error;
  expect(message).toContain('"jsonrpc" must be "2.0", got "999');
  expect(message.length < 200).toBe(true);
});

test("params that are nested too deeply to be serialised harm only their own call", async () => {
  const { peer, other } = peerFixture({ maxValues: Infinity, maxDepth: Infinity });
  peer.handle("echo", (call) => call.params);
  const deep = "[".repeat(1e6) + "]".repeat(1e6);
  other.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"deep":${deep}}}`);
  other.send(`{"jsonrpc":"2.0","id":2,"method":${deep}}`);
  other.request("alive", "ping");
  const answers = await other.take();
  const method = '"method" must be a string, got what cannot be written as JSON';
  expect(answers.map(({ id, error }) => [id, error])).toEqual([
    [1, { code: -32_603, message: "Internal error" }],
    [2, { code: -32_600, message: `Invalid Request: ${method}` }],
    ["alive", undefined],
  ]);
});

test("malformed notifications are dropped and passed to onrefused", async () => {
  const { other, refused } = peerFixture();
  other.send('{"jsonrpc":"2.0","method":"ping","params":3}');
  expect(await other.take()).toEqual([]);
  expect(refused).toEqual(["Invalid params: expected an object, got 3"]);
});

test("of two concurrent requests with one id the second is refused, and the first keeps its result", async () => {
  const { peer, other } = peerFixture();
  const slow = deferred<string>();
  peer.handle("slow", () => slow.promise);
  other.request(1, "slow");
  other.request(1, "ping");
  expect(await other.take()).toEqual([
    {
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_600, message: "Invalid Request: id 1 is still in use" },
    },
  ]);
  slow.resolve("first");
  expect(await other.take()).toEqual([{ jsonrpc: "2.0", id: 1, result: "first" }]);
});

test("a number and the same number as a string are different ids", async () => {
  const { peer, other } = peerFixture();
  const finish: ((value: string) => void)[] = [];
  peer.handle("slow", () => new Promise((resolve) => void finish.push(resolve)));
  other.request(1, "slow");
  other.request("1", "slow");
  await other.take();
  finish[1]?.("text");
  finish[0]?.("number");
  expect(await other.take()).toEqual([
    { jsonrpc: "2.0", id: "1", result: "text" },
    { jsonrpc: "2.0", id: 1, result: "number" },
  ]);
});
