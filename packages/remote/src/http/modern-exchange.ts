import { type Clock, IdewireError } from "@idewire/core";
import { refusedBy, refusedByStatus } from "./failures.ts";
import { FollowedStream } from "./followed-stream.ts";
import type { HttpChannel } from "./http-channel.ts";
import { type FindSchema, headersOf } from "./modern-headers.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { isEventStream, mediaType, readText } from "./read-text.ts";

export interface ExchangeOptions {
  readonly channel: HttpChannel;
  readonly clock: Clock;
  /** Aborting it closes the stream, which takes the request back. */
  readonly controller: AbortController;
  readonly inputSchemaOf: FindSchema | undefined;
  readonly onframe: (frame: string) => void;
  /** Called once the server has the request. */
  readonly ondeparted: () => void;
  readonly isAnswered: () => boolean;
}

/**
 * Sends one request of the modern era, and reads all that its response says (MCP 2026-07-28, Streamable
 * HTTP).
 * @throws what became of the request when that is no answer
 */
export async function exchange(message: OutgoingMessage, options: ExchangeOptions): Promise<void> {
  const { channel, controller, inputSchemaOf, onframe, ondeparted, isAnswered } = options;
  const { frame, method } = message;
  const { signal } = controller;
  const headers = headersOf(message, inputSchemaOf);
  const response = await channel.send({ method: "POST", body: frame, signal, headers });
  ondeparted();
  const what = `${method} at ${channel.name}`;
  if (!response.ok) throw await refusal(message, response, channel);
  if (isEventStream(response)) {
    return new FollowedStream({ ...options, what }).onlyUntilAnswered(response, isAnswered);
  }
  if (mediaType(response) === "application/json") {
    onframe(await readText(response, channel.maxFrameBytes, what));
  }
  if (isAnswered()) return;
  const seen = channel.describe(response);
  throw new IdewireError("protocol", `${what}: ${seen} without the answer`);
}

async function refusal(
  { method }: OutgoingMessage,
  response: Response,
  channel: HttpChannel,
): Promise<Error> {
  const { status } = response;
  const body = await channel.readRefusal(response);
  // A login that is wanted, and a server that fails, say nothing of the eras that it speaks.
  const isOpen =
    method === "server/discover" && (status === 401 || status === 403 || status >= 500);
  const describe = isOpen ? refusedByStatus : refusedBy;
  return describe(`${method} at ${channel.name}`, status, body);
}
