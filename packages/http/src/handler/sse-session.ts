import type { Conversation } from "@idewire/core/internal";
import { EventStream } from "./event-stream.ts";
import type { Admission } from "./request-head.ts";
import type { Responder } from "./responder.ts";
import type { Instance, SessionPart } from "./sessions/instance.ts";
import type { SessionOrder } from "./sessions/relay.ts";

export interface SseSessionOptions<Context> {
  readonly instance: Instance<Context>;
  /** The response to the GET, which carries all that we send. */
  readonly responder: Responder;
  readonly admission: Admission<Context>;
  /** Where the client is to post. */
  readonly address: string;
}

/** One client of HTTP+SSE: it lasts as long as its stream. */
export class SseSession<Context> implements SessionPart {
  readonly isAway = false;
  readonly principal: string;
  readonly #stream: EventStream;
  readonly #conversation: Conversation<Context>;

  constructor({ instance, responder, admission, address }: SseSessionOptions<Context>) {
    this.principal = admission.principal ?? "";
    const stream = new EventStream(responder, {});
    this.#stream = stream;
    responder.write(`event: endpoint\ndata: ${address}\n\n`);
    const alive = setInterval(() => stream.comment(), instance.keepAliveMs);
    this.#conversation = instance.open({
      context: admission.context,
      ...{ principal: this.principal, scopes: admission.scopes, peer: instance.peer },
      send: (frame, _about, state) => stream.push(frame, state),
      onclose: () => stream.finish(),
    });
    responder.onClose(() => {
      clearInterval(alive);
      this.#conversation.close();
    });
  }

  /** Takes a message; what answers it leaves on the stream. */
  handle(message: unknown, size = 0): void {
    const say = (text: string | undefined) => {
      if (text !== undefined) this.#stream.push(text);
    };
    const text = this.#conversation.handle(message, size);
    if (text instanceof Promise) void text.then(say);
    else say(text);
  }

  take({ message, ended }: SessionOrder): boolean {
    if (message !== undefined) this.handle(message);
    if (ended === true) this.#conversation.close();
    return true;
  }

  leave(): void {
    this.#conversation.close();
  }
}
