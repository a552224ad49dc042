import { createToken, type EndpointSpec } from "@idewire/core/internal";
import type { ResumeEndpoint } from "../discovery/folder-claim.ts";
import { removeDeadSocket } from "../files/dead-sockets.ts";
import type { Environment } from "../files/directories.ts";
import { kindOf } from "./endpoint-kinds.ts";
import { socketPlace } from "./socket-place.ts";

const PORT_ATTEMPTS = 8;

export interface PlacesOptions {
  readonly env: Environment;
  /** The port that must be had; any when left out. */
  readonly port: number | undefined;
  /** The place of the last run. */
  readonly previous: ResumeEndpoint | undefined;
}

/**
 * Where an endpoint may listen, with its token, in turn.
 * @throws IdewireError `file-system` when a socket has no place, `invalid-argument` for a kind that is not served
 */
export async function placesFor(
  spec: EndpointSpec,
  { env, port, previous }: PlacesOptions,
): Promise<readonly ResumeEndpoint[]> {
  if (!kindOf(spec).usesSocket) return portsToTry(port, previous);
  if (previous?.socketPath !== undefined) await removeDeadSocket(previous.socketPath);
  return [{ socketPath: await socketPlace(env), token: createToken() }];
}

/**
 * Port 0 lets the system choose. The token is the old one only with the old port: an agent that reconnects sends it
 * to whatever has that port now.
 */
function portsToTry(
  port = 0,
  previous: ResumeEndpoint | undefined = undefined,
): readonly ResumeEndpoint[] {
  const isOld = previous !== undefined && (port === 0 || port === previous.port);
  const fresh = { port, token: createToken() };
  const others = port === 0 ? Array<ResumeEndpoint>(PORT_ATTEMPTS).fill(fresh) : [fresh];
  if (!isOld) return others;
  return port === 0 ? [previous, ...others] : [previous];
}
