import type { McpStore } from "@idewire/core/server";
import type { SessionSharing } from "../session-sharing.ts";
import { SharedHttp } from "./shared-http.ts";
import { SharedInstance } from "./shared-instance.ts";

/**
 * Shares the sessions of legacy clients between the instances of a server, for the option `sessions` of
 * `createMcpListener` and `createMcpHandler`: any of them takes any request.
 * @param store what they share; the caller closes it, after the endpoint
 */
export function shareSessions(store: McpStore): SessionSharing {
  return {
    attach(options, slow) {
      const instance = new SharedInstance({ ...options, store });
      return { instance, http: new SharedHttp(instance, slow) };
    },
  };
}
