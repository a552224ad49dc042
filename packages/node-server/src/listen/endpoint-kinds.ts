import type { IdeServer } from "@idewire/core";
import type { EndpointSpec } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import type { AgentEndpoint, AgentEndpointOptions } from "./agent-endpoint.ts";
import { FramesEndpoint } from "./frames-endpoint.ts";
import { HttpAgentEndpoint } from "./http-endpoint.ts";
import { WebSocketEndpoint } from "./web-socket-endpoint.ts";

/** How the agents of a dialect are reached. */
interface EndpointKind {
  readonly Endpoint: new (ide: IdeServer, options: AgentEndpointOptions) => AgentEndpoint;
  /** It listens at a socket of the file system in place of a port. */
  readonly usesSocket: boolean;
}

const endpointKinds: Readonly<Record<EndpointSpec["kind"], EndpointKind>> = {
  "web-socket": { Endpoint: WebSocketEndpoint, usesSocket: false },
  http: { Endpoint: HttpAgentEndpoint, usesSocket: false },
  "http-socket": { Endpoint: HttpAgentEndpoint, usesSocket: true },
  frames: { Endpoint: FramesEndpoint, usesSocket: true },
};

/** @throws IdewireError `invalid-argument` for a kind that is not served here */
export function kindOf({ kind }: EndpointSpec): EndpointKind {
  const known = endpointKinds[kind];
  if (known !== undefined) return known;
  throw new IdewireError("invalid-argument", `${kind}: no such endpoint is served here`);
}
