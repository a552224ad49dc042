import type { RequestId } from "@idewire/core/rpc";

/** Has streams that a client can be sent away from. */
export interface Releasable {
  releaseStream(about: RequestId, retryMs: number): boolean;
}

const byConnection = new WeakMap<object, Releasable>();

/** Says whose streams the calls of a connection wait on. */
export function keepReleasable(connection: object, releasable: Releasable): void {
  byConnection.set(connection, releasable);
}

/**
 * Whose stream a call waits on; undefined when it is not over HTTP.
 * @param owner `owner` of a call
 */
export function releasableOf(owner: object): Releasable | undefined {
  return byConnection.get(owner);
}
