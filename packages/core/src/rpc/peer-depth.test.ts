import { expect, test } from "vitest";
import { peerFixture } from "../testing/peer-fixture.ts";
import { openBatch } from "./batch.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const asking = (id: number, levels: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"echo","params":{"deep":${nested(levels)}}}`;
const refusal = {
  code: -32_602,
  message: "Invalid params: expected at most 200 levels, got more",
};

function echoing() {
  const fixture = peerFixture();
  let calls = 0;
  fixture.peer.handle("echo", () => {
    calls += 1;
    return {};
  });
  return { ...fixture, calls: () => calls };
}

test.each([199, 1_000, 4_000, 8_000])(
  "parameters of %i levels more are refused with a message, and reach no handler",
  async (levels) => {
    const { other, calls } = echoing();
    other.send(asking(1, levels));
    other.send(asking(2, 198));
    expect(await other.take()).toEqual([
      { jsonrpc: "2.0", id: 1, error: refusal },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
    expect(calls()).toBe(1);
  },
);

test("one deep message among a hundred of a batch is refused alone", async () => {
  const { peer, other, calls } = echoing();
  peer.openBatch = openBatch;
  const shallow = Array.from({ length: 99 }, (_, id) => asking(id, 1));
  other.send(`[${[...shallow, asking(99, 3_000)].join()}]`);
  const [answers] = (await other.take()) as unknown as [readonly { readonly error?: unknown }[]];
  expect(answers.filter(({ error }) => error !== undefined)).toMatchObject([
    { id: 99, error: refusal },
  ]);
  expect(calls()).toBe(99);
});

test("a deep notification is dropped", async () => {
  const { other, refused, calls } = echoing();
  other.send(`{"jsonrpc":"2.0","method":"echo","params":{"deep":${nested(4_000)}}}`);
  expect(await other.take()).toEqual([]);
  expect(refused).toEqual([refusal.message]);
  expect(calls()).toBe(0);
});
