import { describeValue } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { isWithin, parseUrl } from "./addresses.ts";
import { readEvents } from "./event-stream.ts";
import type { HttpChannel } from "./http-channel.ts";
import { discard, isEventStream } from "./read-text.ts";

/** The callbacks of a stream of HTTP with SSE. */
export interface SseListener {
  readonly onframe: (frame: string) => void;
  /** Called once, when the stream has ended. */
  readonly onend: (reason: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens the stream of HTTP with SSE (MCP 2024-11-05, Transports) that carries all messages of the server, and
 * waits for the address for ours.
 * @returns the channel to that address; undefined when there is no such stream
 * @throws IdewireError `protocol` for an address of another origin, which would get the credentials
 */
export async function openSseStream(
  channel: HttpChannel,
  { onframe, onend, signal }: SseListener,
): Promise<HttpChannel | undefined> {
  const response = await channel.send({ method: "GET", signal });
  if (!isEventStream(response) || response.body === null) {
    discard(response);
    return undefined;
  }
  const endpoint = await new Promise<string>((resolve, reject) => {
    const { name: what, maxFrameBytes: maxBytes } = channel;
    readEvents(response, {
      what,
      maxBytes,
      signal,
      onevent({ event, data }) {
        if (event === "endpoint") resolve(data);
        // An empty type counts as absent.
        else if ((event || "message") === "message") {
          onframe(channel.redactErrors(data));
        }
      },
    }).then(
      () => {
        reject(new IdewireError("protocol", `${what}: the stream ended without an endpoint`));
        onend("The stream of the server has ended");
      },
      (error: Error) => {
        reject(error);
        onend(error.message);
      },
    );
  });
  const address = parseUrl(endpoint, channel.url);
  if (isWithin(address, channel.url.origin)) return channel.at(address);
  const seen = describeValue(channel.redact(endpoint));
  const what = `${channel.name} names ${seen}, which is not an address of its origin`;
  throw new IdewireError("protocol", what);
}
