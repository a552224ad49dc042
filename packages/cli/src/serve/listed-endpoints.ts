import type { IdeEndpoint, IdeListener } from "@idewire/node-server";
import { type WebSocketPlace, webSocketsOf } from "@idewire/node-server/internal";

/** An endpoint in the output for programs, with the agents' paths. */
export type ListedEndpoint = Omit<IdeEndpoint, "folders" | "asked">;

/** Where agents find a folder. Programs of the first protocol know only WebSockets. */
export interface ListedEndpoints {
  readonly endpoints: readonly WebSocketPlace[];
  /** Absent if there are none. */
  readonly otherEndpoints?: readonly ListedEndpoint[];
}

export function listEndpoints({ endpoints: all }: Pick<IdeListener, "endpoints">): ListedEndpoints {
  const endpoints = webSocketsOf(all);
  const known = new Set(endpoints.map(({ dialect }) => dialect));
  const otherEndpoints = all
    .filter(({ dialect }) => !known.has(dialect))
    .map(({ folders: _, asked: _asked, ...endpoint }) => endpoint);
  return { endpoints, ...(otherEndpoints.length > 0 && { otherEndpoints }) };
}
