import { ROOTS_LIST_CHANGED } from "../../roots.ts";
import { ServerCall } from "../server-call.ts";
import type { ServerFeature } from "../server-feature.ts";

/** Calls a listener when a client's roots have changed; {@link ServerCall.roots} then returns the new ones. */
export function onRootsChanged<Context = unknown>(
  listener: (call: ServerCall<Context>) => void,
): ServerFeature<Context> {
  return {
    capabilities: () => ({}),
    notifications: {
      [ROOTS_LIST_CHANGED]: (call, caller) => listener(new ServerCall(call, caller, "")),
    },
  };
}
