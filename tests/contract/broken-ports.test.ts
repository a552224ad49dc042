import { MessageChannel } from "node:worker_threads";
import { createMessagePortTransport } from "@idewire/core/rpc";
import { expect, test } from "vitest";
import { closing, startRelay } from "../src/transport-pairs.ts";

test("a dying worker closes its peer with 1006", async () => {
  const { near, worker } = await startRelay();
  const closed = closing(createMessagePortTransport(near));
  await worker.terminate();
  expect(await closed).toEqual({ code: 1006, reason: "" });
});

test("a port that is closed beneath its transport closes the other end with 1006", async () => {
  const { port1, port2 } = new MessageChannel();
  const closed = closing(createMessagePortTransport(port1));
  port2.close();
  expect(await closed).toEqual({ code: 1006, reason: "" });
});

test("a message that is neither a frame nor a control closes the port with 1003", async () => {
  const { port1, port2 } = new MessageChannel();
  const closed = closing(createMessagePortTransport(port1));
  port2.postMessage(42);
  expect((await closed).code).toBe(1003);
});

test("malformed control messages leave bufferedAmount a number, and the close has a reason", async () => {
  const { port1, port2 } = new MessageChannel();
  const transport = createMessagePortTransport(port1);
  const closed = closing(transport);
  transport.send("four");
  port2.postMessage("a frame without a listener");
  port2.postMessage({ taken: Number.NaN });
  port2.postMessage({ taken: -5 });
  port2.postMessage({ taken: 1 });
  port2.postMessage({ close: { code: "x" } });
  expect(await closed).toEqual({ code: 1005, reason: "" });
  expect(transport.bufferedAmount).toBe(3);
});
