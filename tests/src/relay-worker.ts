import { type MessagePort, workerData } from "node:worker_threads";
import { createMessagePortTransport } from "@idewire/core/rpc";

const { near, far } = workerData as { readonly near: MessagePort; readonly far: MessagePort };
const ends = [createMessagePortTransport(near), createMessagePortTransport(far)] as const;

for (const [from, to] of [ends, [ends[1], ends[0]]] as const) {
  from.onframe = (frame) => to.send(frame);
  from.onclose = ({ code, reason }) => to.close(code, reason);
}
