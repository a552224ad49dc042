import { expect, test } from "vitest";
import { deferred } from "../../testing/deferred.ts";
import { modernMeta } from "../../testing/modern-fixture.ts";
import { McpServer } from "./server.ts";

function open() {
  const late = deferred<void>();
  const aborted: unknown[] = [];
  const errors: unknown[] = [];
  const sent: string[] = [];
  const server = new McpServer<string>({ name: "s", version: "1" });
  server.tool("who", {}, (_, { context }) => context);
  server.tool("wait", {}, async (_, call) => {
    call.progress({ progress: 1 });
    call.signal.addEventListener("abort", () => aborted.push(call.signal.reason));
    await late.promise;
    return "late";
  });
  server.prompt("fail", {}, () => {
    throw new Error("a bug");
  });
  const left = new AbortController();
  const handle = (message: unknown) =>
    server.handle(message, {
      context: "here",
      send: (frame) => void sent.push(JSON.parse(frame)),
      signal: left.signal,
      onerror: (error) => void errors.push(error.message),
    });
  return { server, handle, late, left, aborted, errors, sent };
}

const request = (method: string, params: object = {}) => ({
  ...{ jsonrpc: "2.0", id: 1, method },
  params: { ...params, _meta: modernMeta({}, { progressToken: "p" }) },
});
const call = (name: string) => request("tools/call", { name, arguments: {} });

test("a synchronous handler is answered synchronously, as text", () => {
  const { handle } = open();
  const answer = handle(call("who"));
  expect(typeof answer).toBe("string");
  expect(JSON.parse(String(answer))).toMatchObject({
    id: 1,
    result: { content: [{ text: "here" }] },
  });
});

test("a list is serialised once for all clients", () => {
  const { handle } = open();
  expect(handle(request("tools/list"))).toBe(handle(request("tools/list")));
});

test("notifications before an answer are sent, and none after it", async () => {
  const { handle, late, left, aborted, sent } = open();
  const answer = handle(call("wait"));
  expect(sent).toMatchObject([
    { method: "notifications/progress", params: { progressToken: "p" } },
  ]);
  late.resolve();
  expect(JSON.parse(String(await answer))).toMatchObject({
    result: { content: [{ text: "late" }] },
  });
  left.abort();
  expect(aborted).toEqual([]);
});

test("a client that disconnects cancels the call, without any message", async () => {
  const { handle, left, aborted } = open();
  const answer = handle(call("wait"));
  left.abort();
  expect(await answer).toBeUndefined();
  expect(aborted).toMatchObject([{ code: "cancelled" }]);
  expect(await handle(call("wait"))).toBeUndefined();
});

test.each<[string, unknown]>([
  ["a notification", { jsonrpc: "2.0", method: "notifications/x" }],
  ["an answer", { jsonrpc: "2.0", id: 7, result: {} }],
  ["a notification with bad parameters", { jsonrpc: "2.0", method: "notifications/x", params: 5 }],
])("no answer is sent to %s", (_, message) => {
  expect(open().handle(message)).toBeUndefined();
});

test.each<[string, unknown, number]>([
  ["a list", [call("who")], -32_600],
  ["another JSON-RPC", { ...call("who"), jsonrpc: "1.0" }, -32_600],
  ["an invalid id", { ...call("who"), id: {} }, -32_600],
  ["an unknown method", request("nothing"), -32_601],
  ["a request without metadata", { jsonrpc: "2.0", id: 1, method: "tools/list" }, -32_602],
])("%s is refused", (_, message, code) => {
  expect(JSON.parse(String(open().handle(message)))).toMatchObject({ error: { code } });
});

test("a bug is reported, and not disclosed to the client", () => {
  const { handle, errors } = open();
  expect(handle(request("prompts/get", { name: "fail" }))).toContain("Internal error");
  expect(errors).toEqual(["a bug"]);
});

test("a server of the legacy era alone handles no message by itself", () => {
  const server = new McpServer({ name: "s", version: "1", eras: "legacy" });
  const options = { context: undefined, send: () => undefined };
  expect(() => server.handle(call("who"), options)).toThrow("legacy era only");
});
