import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Listening, loadImplementation } from "../implementation.ts";
import type { Workload } from "../subject.ts";
import { calls, TEXT } from "./calls.ts";

/** Calls of one client over Streamable HTTP of a server in another process: in a session, or `modern`. */
export const httpClient: Workload = async (name, { inFlight = 1, modern = 0 }) => {
  const module = fileURLToPath(new URL("./http-server.js", import.meta.url));
  const server = fork(module, [], { execArgv: [] });
  const [listening] = (await once(server, "message")) as [Pick<Listening, "url" | "headers">];
  const implementation = await loadImplementation(name);
  const client = await implementation.connectHttp?.(listening, { modern: modern === 1 });
  if (client === undefined) throw new Error(`${name} has no HTTP client`);
  const subject = calls(client, { inFlight, each: 64 / inFlight, call: () => client.echo(TEXT) });
  return {
    ...subject,
    async close() {
      await subject.close();
      const ended = once(server, "exit");
      server.disconnect();
      await ended;
    },
  };
};
