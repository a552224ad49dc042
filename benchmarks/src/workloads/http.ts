import { HttpClient } from "../http-client.ts";
import { loadImplementation } from "../implementation.ts";
import type { Workload } from "../subject.ts";
import { calls, TEXT } from "./calls.ts";

/**
 * Calls of one client over Streamable HTTP, each a POST on a connection that is kept: in a session, or
 * `modern`; answered with JSON, or with a stream that reports `progress` once before.
 */
export const http: Workload = async (name, { inFlight = 1, modern = 0, progress = 0 }) => {
  const implementation = await loadImplementation(name);
  const how = { modern: modern === 1, progress: progress === 1 };
  const listening = await implementation.listenHttp?.({ toolCount: 2, ...how });
  if (listening === undefined) throw new Error(`${name} has no HTTP server of its own`);
  const client = await HttpClient.open(listening, how);
  const subject = calls(client, { inFlight, each: 64 / inFlight, call: () => client.echo(TEXT) });
  return {
    ...subject,
    async close() {
      await subject.close();
      await listening.close();
    },
  };
};
