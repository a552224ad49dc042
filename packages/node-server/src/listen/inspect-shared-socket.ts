import { dirname } from "node:path";
import type { EndpointSpec } from "@idewire/core/internal";
import type { Environment } from "../files/directories.ts";
import { runningHolder } from "../files/file-lock.ts";
import { folderFault } from "../files/own-folders.ts";
import { placeAnswers } from "../process/liveness.ts";
import { processFacts } from "../process/process-facts.ts";
import { lockOf } from "./shared-socket.ts";
import { knownSocketPath } from "./socket-place.ts";

/** The state of the place where the agents of a dialect look for any editor of a user. */
export interface SharedPlace {
  readonly path: string;
  /** Why the agents, and editors, refuse its folder, such as `is a link`. */
  readonly fault?: string;
  /** Whether a program listens. */
  readonly answers: boolean;
  /** The process of the editor that listens; undefined for a program of another kind. */
  readonly holder?: number;
  /** Whether that process does not answer until it is continued, such as after Ctrl-Z. */
  readonly isStopped?: boolean;
}

/** Inspects that place without changing anything; undefined for a dialect without such a place. */
export async function inspectSharedSocket(
  { socket }: EndpointSpec,
  env: Environment,
): Promise<SharedPlace | undefined> {
  const known = socket?.(process.getuid?.() ?? 0);
  if (known === undefined) return undefined;
  const path = knownSocketPath(env, known);
  const fault = await folderFault(dirname(path)).catch(() => undefined);
  const holder = await runningHolder(lockOf(path));
  return {
    path,
    ...(fault !== undefined && { fault }),
    answers: await placeAnswers({ socketPath: path }),
    ...(holder !== undefined && { holder, isStopped: processFacts(holder)?.isStopped === true }),
  };
}
