import { setTimeout } from "node:timers/promises";
import type { Fetch } from "@idewire/http/internal";

const PAUSE_MS = 10;

/**
 * A `fetch` whose responses are not read while earlier data is queued elsewhere.
 * @param isFull never by default
 */
export function pausedFetch(fetch: Fetch, isFull: (() => boolean) | undefined): Fetch {
  if (isFull === undefined) return fetch;
  const transform = async (
    bytes: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array>,
  ) => {
    while (isFull()) await setTimeout(PAUSE_MS, undefined, { ref: false });
    controller.enqueue(bytes);
  };
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    const paused = body.pipeThrough(new TransformStream({ transform }));
    return new Response(paused, { status, statusText, headers });
  };
}
