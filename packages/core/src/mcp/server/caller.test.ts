import * as v from "valibot";
import { expect, test } from "vitest";
import type { RequestId } from "../../rpc/message.ts";
import type { Transport } from "../../rpc/transport.ts";
import { settled } from "../../testing/raw-end.ts";
import { listRoots } from "./client-features/roots.ts";
import { McpServer } from "./server.ts";
import type { ConnectOptions, SessionState } from "./server-connection.ts";

const server = new McpServer({ name: "s", version: "1" });
server.resource("file:///a", { name: "a" }, () => "");
server.tool("work", {}, async (_, call) => {
  call.log("info", "begun");
  call.progress({ progress: 1 });
  const form = v.object({ name: v.string() });
  return JSON.stringify(await call.ask("Who?", form).catch(({ code }) => code));
});

const session: SessionState = {
  revision: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: { elicitation: { form: {} }, roots: {} },
  initialized: true,
  settings: { logLevel: "debug", subscriptions: ["file:///a"] },
};

/** A connection over a transport with a stream per call. */
function open(options: Partial<ConnectOptions<undefined>> = {}, over: Partial<Transport> = {}) {
  const sent: [message: Record<string, unknown>, about: RequestId | undefined][] = [];
  const transport: Transport = {
    onframe: undefined,
    onclose: undefined,
    ondrain: undefined,
    bufferedAmount: 0,
    send: (frame, about) => void sent.push([JSON.parse(frame), about]),
    close: () => undefined,
    ...over,
  };
  const connection = server.connect(transport, { context: undefined, session, ...options });
  const receive = (message: object) =>
    transport.onframe?.(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const call = (id: RequestId) =>
    receive({ id, method: "tools/call", params: { name: "work", _meta: { progressToken: id } } });
  return { connection, sent, receive, call };
}

test("two concurrent calls have separate log messages, progress and questions", async () => {
  const { sent, receive, call } = open();
  call("a");
  call("b");
  await settled();
  const all = (about: RequestId) => sent.filter(([, each]) => each === about);
  for (const id of ["a", "b"]) {
    const methods = all(id).map(([{ method }]) => method);
    expect(methods).toEqual([
      "notifications/message",
      "notifications/progress",
      "elicitation/create",
    ]);
  }
  for (const id of ["b", "a"]) {
    const [question] = all(id)[2] ?? [];
    receive({ id: question?.["id"], result: { action: "accept", content: { name: id } } });
  }
  await settled();
  expect(all("a")[3]?.[0]).toMatchObject({
    id: "a",
    result: { content: [{ text: expect.stringContaining('"a"') }] },
  });
  expect(sent.length).toBe(8);
});

test("a question to a client without the capability rejects at once, and the call continues", async () => {
  const { connection, sent, call } = open({}, { reaches: () => false });
  call(1);
  await settled();
  expect(sent.at(-1)).toMatchObject([
    { id: 1, result: { content: [{ text: '"unreachable"' }] } },
    1,
  ]);
  await expect(listRoots({ caller: connection })).rejects.toMatchObject({ code: "unreachable" });
});

test("a session is continued on another connection, without initialize", async () => {
  const { connection, sent } = open();
  expect(connection.session).toEqual(session);
  expect(connection).toMatchObject({ revision: "2025-11-25", initialized: true });
  server.resourceUpdated("file:///a");
  server.resourceUpdated("file:///b");
  server.log("debug", 1);
  expect(sent.map(([{ method, params }]) => [method, params])).toEqual([
    ["notifications/resources/updated", { uri: "file:///a" }],
    ["notifications/message", { level: "debug", data: 1 }],
  ]);
});

test("each change of a client's negotiated parameters and settings is reported", () => {
  const states: unknown[] = [];
  const { connection, receive } = open({
    session: undefined as never,
    observer: { onchange: (state) => void states.push(state) },
  });
  expect(connection.session).toBe(undefined);
  const { clientInfo, clientCapabilities: capabilities } = session;
  const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
  receive({ id: 1, method: "initialize", params });
  receive({ method: "notifications/initialized" });
  receive({ id: 2, method: "logging/setLevel", params: { level: "debug" } });
  receive({ id: 3, method: "resources/subscribe", params: { uri: "file:///a" } });
  const before = { ...session, settings: {} };
  expect(connection.session).toBe(states.at(-1));
  expect(states).toEqual([
    { ...before, initialized: false },
    before,
    { ...before, settings: { logLevel: "debug" } },
    session,
  ]);
});

test("a continued session at 2025-03-26 accepts batches", () => {
  const { connection, sent } = open({ session: { ...session, revision: "2025-03-26" } });
  connection.peer.receive([{ jsonrpc: "2.0", id: 1, method: "ping" }], 50);
  expect(sent).toEqual([[[{ jsonrpc: "2.0", id: 1, result: {} }], undefined]]);
});
