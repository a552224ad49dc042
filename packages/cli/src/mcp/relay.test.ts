import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { relay } from "./relay.ts";

test("a new session begins with the client's own initialize, whatever it requested before", async () => {
  const sessions: { readonly server: Transport; readonly methods: string[] }[] = [];
  const open = () => {
    const [near, server] = createMemoryTransportPair();
    const methods: string[] = [];
    server.onframe = (frame) => {
      const { id, method } = JSON.parse(frame);
      methods.push(method);
      if (id !== undefined) server.send(JSON.stringify({ jsonrpc: "2.0", id, result: { method } }));
    };
    sessions.push({ server, methods });
    return near;
  };
  const [host, client] = createMemoryTransportPair();
  const answers: unknown[] = [];
  host.onframe = (frame) => answers.push(JSON.parse(frame).result.method);
  relay(client, open, ({ message }) => message);
  const send = (method: string, id?: number) =>
    host.send(JSON.stringify({ jsonrpc: "2.0", id, method }));
  send("server/discover", 0);
  send("initialize", 1);
  send("notifications/initialized");
  send("tools/list", 2);
  await expect.poll(() => answers).toEqual(["server/discover", "initialize", "tools/list"]);
  sessions[0]?.server.close();
  await expect
    .poll(() => sessions[1]?.methods)
    .toEqual(["initialize", "notifications/initialized"]);
  send("tools/call", 3);
  await expect.poll(() => answers).toHaveLength(4);
  expect(answers[3]).toBe("tools/call");
});
