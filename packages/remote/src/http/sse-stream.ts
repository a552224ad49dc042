import { IdewireError } from "@idewire/core";
import { readEvents } from "./event-stream.ts";
import { refusalOf } from "./failures.ts";
import { type HttpChannel, isWithin, parseUrl } from "./http-channel.ts";
import { discard, isEventStream } from "./read-text.ts";

/** What an open stream of HTTP with SSE tells its transport. */
export interface SseListener {
  readonly onframe: (frame: string) => void;
  /** Called once, when the stream has ended. */
  readonly onend: (reason: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a message to the address that the stream has named.
 * @param controller aborting it takes the message back
 * @returns false when the server has no such session any more, so that it has not taken the message
 */
export type SsePost = (frame: string, controller: AbortController) => Promise<boolean>;

/** What speaks HTTP with SSE: {@link httpWithSse}. */
export type HttpWithSse = (
  channel: HttpChannel,
  listener: SseListener,
) => Promise<SsePost | undefined>;

/**
 * Speaks HTTP with SSE (MCP 2024-11-05, Transports), for the option `sse` of a transport: a value, so that a
 * bundle contains it only when it is in use. It opens the stream on which all messages of the server come, and
 * waits for the address that takes ours.
 * @returns undefined when there is no such stream
 * @throws IdewireError `protocol` for an address of another origin, which would get the credentials
 */
export const httpWithSse: HttpWithSse = async (channel, { onframe, onend, signal }) => {
  const response = await channel.send({ method: "GET", signal });
  if (!isEventStream(response) || response.body === null) {
    discard(response);
    return undefined;
  }
  const endpoint = await new Promise<string>((resolve, reject) => {
    const onevent = (data: string, type: string) => {
      if (type === "endpoint") resolve(data);
      else if (type === "message") onframe(channel.withoutSecretsInError(data, response));
    };
    readEvents(response, {
      what: channel.name,
      onevent,
      maxEventUnits: channel.maxFrameBytes,
    }).then(
      () => {
        reject(
          new IdewireError("protocol", `${channel.name}: the stream ended without an endpoint`),
        );
        onend("The stream of the server has ended");
      },
      (error: Error) => {
        reject(error);
        onend(error.message);
      },
    );
  });
  const address = parseUrl(endpoint, channel.url);
  if (!isWithin(address, channel.url.origin)) {
    const seen = JSON.stringify(channel.withoutSecrets(endpoint, response).slice(0, 200));
    const what = `${channel.name} names ${seen}, which is not an address of its origin`;
    throw new IdewireError("protocol", what);
  }
  const posts = channel.at(address);
  return (frame, controller) => post(posts, frame, controller);
};

async function post(
  channel: HttpChannel,
  frame: string,
  controller: AbortController,
): Promise<boolean> {
  const { signal } = controller;
  const response = await channel.send({ method: "POST", body: frame, signal });
  if (response.ok || response.status === 404) {
    discard(response);
    return response.ok;
  }
  const body = await channel.readRefusal(response, controller);
  throw refusalOf(channel.name, response.status, body);
}
