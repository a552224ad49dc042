import type { Params } from "../../rpc/message.ts";
import type { ShareChanges } from "./server-options.ts";
import type { MessageBus } from "./store.ts";

const TOPIC = "changes";

/** What instances tell each other. */
interface Change {
  readonly method: string;
  readonly params?: Params;
}

/**
 * Tells changes to all instances of a server, for its option `changes`; while they cannot be reached, to the
 * clients of this one.
 * @param bus that of a store
 * @param onerror called with what goes wrong on the bus
 */
export function shareChanges(bus: MessageBus, onerror?: (error: Error) => void): ShareChanges {
  const fail = (error: unknown) =>
    onerror?.(error instanceof Error ? error : new Error(String(error)));
  return (emitHere) => {
    const hear = (message: string) => {
      const { method, params } = JSON.parse(message) as Change;
      emitHere(method, params);
    };
    bus.subscribe(TOPIC, hear).catch(fail);
    return (method, params) => {
      bus.publish(TOPIC, JSON.stringify({ method, params })).catch((error: unknown) => {
        fail(error);
        emitHere(method, params);
      });
    };
  };
}
