import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { IdeSession } from "@idewire/core";
import type { Transport } from "@idewire/core/rpc";
import { expect, onTestFinished, test, vi } from "vitest";
import { defaultLimits } from "../loopback-server/listen-limits.ts";
import { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { lengthPrefixFraming } from "../stdio/length-framing.ts";
import { FrameClient } from "./frame-client.ts";

async function openSockets(): Promise<readonly [Socket, Socket]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [far] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => {
    for (const one of [near, far]) one.destroy();
    server.close();
  });
  return [near, far];
}

test("an error while one frame is received stalls none of the frames after it", async () => {
  const thrown: (() => void)[] = [];
  vi.spyOn(globalThis, "queueMicrotask").mockImplementation((run) => void thrown.push(run));
  onTestFinished(() => void vi.restoreAllMocks());
  const [near, far] = await openSockets();
  const received: string[] = [];
  const closed = new Promise<never>(() => {});
  const client = new FrameClient(far, {
    ...{ limits: defaultLimits, budget: new MemoryBudget(defaultLimits) },
    elsewhere: async () => undefined,
    open(transport: Transport) {
      transport.onframe = (frame) => {
        received.push(frame);
        if (frame === "{}") throw new Error("a bug");
      };
      return {
        closed,
        connection: { peer: { heldBytes: 0 } },
        close() {},
      } as unknown as IdeSession;
    },
  });
  onTestFinished(() => client.evict("the end"));
  const frames = ["[1]", "{}", "[2]", "[3]"];
  for (const part of frames.flatMap((frame) => lengthPrefixFraming.write(frame))) near.write(part);
  await expect.poll(() => received).toEqual(frames);
  await expect.poll(() => thrown).toHaveLength(1);
  expect(thrown[0]).toThrow("a bug");
  await expect.poll(() => client.heldBytes).toBe(0);
});
