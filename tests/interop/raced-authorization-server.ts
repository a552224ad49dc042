import { type RaceResult, race } from "../src/refresh-race.ts";
import { open } from "./protected-server.ts";
import { browsingPerson } from "./real-authorization-server.ts";

/** Lets processes with a shared store race for the tokens of a real authorization server. */
export async function raceAtRealServer(processes: number, expiries: number): Promise<RaceResult> {
  // Introspection is not cached.
  const { audience: url, authorizer } = await open("opaque", {}, { cacheMs: 0 });
  const { counts, expire } = authorizer;
  const server = { url, tool: "who", openRedirectTarget: browsingPerson };
  return race({ ...server, expire, counts: () => counts }, processes, expiries);
}
