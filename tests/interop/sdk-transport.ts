import type { Transport } from "@idewire/core/rpc";

/** The interface of a transport for both official SDKs. */
export interface SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Adapts one of our transports to the official SDKs; frames before `start` are queued. */
export function toSdkTransport(transport: Transport): SdkTransport {
  const early: string[] = [];
  const sdk: SdkTransport = {
    start: async () => {
      const deliver = (frame: string) => sdk.onmessage?.(JSON.parse(frame) as never);
      transport.onframe = deliver;
      early.splice(0).forEach(deliver);
    },
    send: async (message) => transport.send(JSON.stringify(message)),
    close: async () => transport.close(),
  };
  transport.onframe = (frame) => early.push(frame);
  transport.onclose = () => sdk.onclose?.();
  return sdk;
}
