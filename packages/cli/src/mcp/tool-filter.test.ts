import { createMemoryTransportPair } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { createToolFilter, filterTools } from "./tool-filter.ts";

/** A client behind the filter, and the frames that each end has received. */
function open(shown: readonly string[], hidden: readonly string[]) {
  const filter = createToolFilter(shown, hidden);
  if (typeof filter === "string") throw new Error(filter);
  const [near, server] = createMemoryTransportPair();
  const client = filterTools(near, filter, (words) => warnings.push(words));
  const warnings: string[] = [];
  const received = { client: [] as unknown[], server: [] as unknown[] };
  client.onframe = (frame) => received.client.push(JSON.parse(frame));
  server.onframe = (frame) => received.server.push(JSON.parse(frame));
  const ask = (message: unknown) => client.send(JSON.stringify(message));
  const answer = (message: unknown) => server.send(JSON.stringify(message));
  return { received, warnings, ask, answer, server };
}

const call = (id: number, name: unknown) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call", params: { name } },
});
const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
const listed = (id: number, ...names: readonly string[]) => ({
  ...{ jsonrpc: "2.0", id },
  result: { tools: names.map((name) => ({ name, inputSchema: {} })), nextCursor: "2" },
});

test.each([
  [["read_*"], [], ["read_a", "read_/b"]],
  [[], ["*_a", "write_?"], ["read_/b", "Read"]],
  [["read_*", "Read"], ["*/*"], ["read_a", "Read"]],
  [["{read,write}_a"], [], ["read_a", "write_a"]],
])(
  "of the tools, with --tools %j and --hide-tools %j only %j are listed",
  async (shown, hidden, left) => {
    const { received, ask, answer } = open(shown, hidden);
    ask(list(1));
    answer(listed(1, "read_a", "read_/b", "write_a", "write_b", "Read"));
    await expect.poll(() => received.client).toEqual([listed(1, ...left)]);
  },
);

test("a hidden tool is not called, in a batch either, and is unknown to the client", async () => {
  const { received, ask } = open([], ["delete_*"]);
  ask(call(1, "delete_file"));
  ask([call(2, "read_file"), call(3, "delete_file")]);
  ask(call(4, undefined));
  ask({ ...call(5, "delete_all"), id: undefined });
  ask(call(6, "read_file"));
  await expect.poll(() => received.server).toEqual([[call(2, "read_file")], call(6, "read_file")]);
  const unknown = (id: number, name: string) => {
    const message = `Unknown tool: ${name} (hidden by --tools or --hide-tools)`;
    return { jsonrpc: "2.0", id, error: { code: -32602, message } };
  };
  expect(received.client).toEqual([
    unknown(1, "delete_file"),
    unknown(3, "delete_file"),
    unknown(4, "undefined"),
  ]);
});

test("lists in a batch are filtered, and all other frames are unchanged to the byte", async () => {
  const { received, ask, answer, server } = open(["a"], []);
  ask([list(1), list(2)]);
  answer([listed(1, "a", "b"), listed(2, "b")]);
  const frames: string[] = [];
  await expect.poll(() => received.client).toEqual([[listed(1, "a"), listed(2)]]);
  const odd =
    ' {"jsonrpc":"2.0", "id":9,"result":{"tools":[{"name":"b"}],"n":12345678901234567890}}';
  ask(list(3));
  server.send(odd);
  server.send('{"id":3,"result":{"tools":[{"name":"a","n":12345678901234567890}]}}');
  await expect.poll(() => received.client).toHaveLength(3);
  expect(received.client[1]).toEqual(JSON.parse(odd));
  expect(frames).toEqual([]);
});

test("an impossible glob is named", () => {
  expect(createToolFilter([""], [])).toBe('--tools: "" is not a glob');
});

test("a glob that matches no tool on any page is reported once, after the last page", async () => {
  const { received, warnings, ask, answer } = open(["read_*"], ["*_b", "delete_*"]);
  const last = (id: number, ...names: readonly string[]) => {
    const { result, ...rest } = listed(id, ...names);
    return { ...rest, result: { tools: result.tools } };
  };
  ask(list(1));
  answer(listed(1, "read_a"));
  await expect.poll(() => received.client).toHaveLength(1);
  expect(warnings).toEqual([]);
  for (const id of [2, 3]) {
    ask(list(id));
    answer(last(id, "read_b"));
    await expect.poll(() => received.client).toHaveLength(id);
  }
  expect(warnings).toEqual(['--hide-tools "delete_*" matches no tool of the server']);
});
