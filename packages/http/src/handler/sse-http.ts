import { HttpRefusal } from "./http-refusal.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import type { OpenRequest } from "./open-requests.ts";
import { accepts } from "./request-head.ts";
import { splitBody } from "./sessions/client-message.ts";
import { DistantPost } from "./sessions/distant-post.ts";
import type { Instance } from "./sessions/instance.ts";
import { SseSession } from "./sse-session.ts";

/** HTTP+SSE, the transport of MCP 2024-11-05, for clients that support no other. */
export class SseHttp<Context> {
  readonly #instance: Instance<Context>;
  readonly #sessions = new Map<string, SseSession<Context>>();

  constructor(instance: Instance<Context>) {
    this.#instance = instance;
  }

  /** Opens a session to which other instances forward messages. @throws HttpRefusal, or rejects with it */
  async get({ head, admission, responder }: Incoming<Context>): Promise<void> {
    if (!accepts(head, "text/event-stream")) {
      throw new HttpRefusal(406, "A GET opens a stream: accept text/event-stream");
    }
    const instance = this.#instance;
    const id = crypto.randomUUID();
    await instance.begin(id, admission);
    const end = () => {
      const announced = instance.relay.broadcast({ session: id, ended: true });
      Promise.all([instance.sessions.end(id), announced]).catch(() => undefined);
    };
    if (responder.ended) {
      end();
      return;
    }
    const address = `${head.path}?sessionId=${id}`;
    const session = new SseSession({ instance, id, responder, admission, address });
    this.#sessions.set(id, session);
    instance.keep(id, session);
    responder.onClose(() => {
      this.#sessions.delete(id);
      instance.drop(id, session);
      end();
    });
  }

  /** @throws HttpRefusal for a message that names no session */
  refuseUnknown(incoming: Incoming<Context>): void {
    if (idIn(incoming) === "") throw unknown();
  }

  /**
   * Receives a message; its answer is sent on the stream.
   * @throws HttpRefusal, or rejects with it
   */
  async post(incoming: Incoming<Context>, body: JsonBody, open: OpenRequest): Promise<void> {
    const { admission } = incoming;
    const { sessions, relay } = this.#instance;
    const id = idIn(incoming);
    const own = this.#sessions.get(id);
    const isOwn = own !== undefined && own.principal === (admission.principal ?? "");
    if (!isOwn && !(await sessions.hasStream(id, admission))) throw unknown();
    const { passed, rest } = splitBody(body);
    for (const message of passed) {
      if (own?.take({ session: id, message }) !== true) {
        await sessions.reach(relay.broadcast({ session: id, message }));
      }
    }
    if (rest !== undefined) {
      if (isOwn) own.run(rest, admission, open);
      else {
        const instance = this.#instance;
        await new DistantPost({ instance, id, admission, body: rest, open }).start();
      }
    }
    accept(incoming);
  }
}

function idIn({ head }: Pick<Incoming<never>, "head">): string {
  return new URLSearchParams(head.query).get("sessionId") ?? "";
}

function accept({ responder }: Pick<Incoming<never>, "responder">): void {
  responder.answer(202, { "content-type": "text/plain" }, "Accepted");
}

function unknown(): HttpRefusal {
  return new HttpRefusal(404, "There is no such session: open a stream by GET first");
}
