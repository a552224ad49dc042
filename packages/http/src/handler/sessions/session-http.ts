import { describeValue, revisions } from "@idewire/core/internal";
import { HttpRefusal, notTaken } from "../http-refusal.ts";
import type { Incoming } from "../incoming.ts";
import type { JsonBody } from "../json-body.ts";
import {
  continuedState,
  isInitialize,
  refuseNoStream,
  refuseRevision,
} from "../legacy-requests.ts";
import type { OpenRequest } from "../open-requests.ts";
import { requestedIds } from "../requested-ids.ts";
import { cancelledIn, isAnswer, isForAnyone } from "./client-message.ts";
import { FollowedResponse } from "./followed-response.ts";
import type { Instance } from "./instance.ts";
import type { SessionOrder } from "./relay.ts";
import { SessionPost, type SessionPostOptions } from "./session-post.ts";
import { GENERAL, type KnownSession } from "./stored-sessions.ts";

/** Streamable HTTP of MCP 2025-03-26 to 2025-11-25: any instance of a server takes any request of a session. */
export class SessionHttp<Context> {
  readonly #instance: Instance<Context>;

  constructor(instance: Instance<Context>) {
    this.#instance = instance;
  }

  async post(incoming: Incoming<Context>, body: JsonBody, open: OpenRequest): Promise<void> {
    const { head, responder } = incoming;
    const id = head.header("mcp-session-id");
    const { sessions, live } = this.#instance;
    // An `initialize` begins a new session, whatever id comes with it.
    if (id === undefined || (live !== undefined && isInitialize(body.value))) {
      if (!isInitialize(body.value)) {
        throw new HttpRefusal(400, "There is no session: send initialize first");
      }
      refuseRevision(head);
      this.#run(incoming, body, { id: crypto.randomUUID(), known: undefined, open });
      return;
    }
    const { known } = await this.#find(incoming, { ids: requestedIds(body.value) });
    let isTaken = false;
    try {
      refuseRevision(head, known.state.revision);
      const rest = await this.#passOn(known, body);
      if (rest === undefined) responder.answer(202, { "mcp-session-id": id });
      else if (!responder.ended) {
        this.#run(incoming, rest, { id, known, open });
        isTaken = true;
      }
    } finally {
      if (!isTaken) sessions.release(known);
    }
  }

  async get(incoming: Incoming<Context>): Promise<void> {
    const { head } = incoming;
    refuseNoStream(head);
    const { sessions, live } = this.#instance;
    const { known: found, isContinued } = await this.#find(incoming, { isStream: true });
    refuseRevision(head, found.state.revision);
    // The events of a previous session no longer count.
    const lastEventId = isContinued ? undefined : head.header("last-event-id");
    // A change that is stored from now on reaches the subscribed client.
    const known = lastEventId === undefined ? await sessions.listens(found) : found;
    const place =
      lastEventId === undefined ? await this.#begin(known, incoming) : placeOf(lastEventId);
    if (place !== undefined && (await this.#follow(incoming, known, place))) return;
    if (
      live !== undefined &&
      (await this.#follow(incoming, known, await this.#begin(known, incoming)))
    )
      return;
    const seen = describeValue(lastEventId);
    throw new HttpRefusal(400, `Last-Event-ID: ${seen} is not an event of this session`);
  }

  async delete({ head, admission, responder }: Incoming<Context>): Promise<void> {
    const { sessions, relay } = this.#instance;
    const { id } = await sessions.find(head.header("mcp-session-id"), admission);
    await sessions.end(id);
    await sessions.reach(relay.broadcast({ session: id, ended: true }));
    responder.answer(200, {});
  }

  #run(
    incoming: Incoming<Context>,
    body: JsonBody,
    post: Pick<SessionPostOptions<Context>, "id" | "known" | "open">,
  ): void {
    const { admission } = incoming;
    new SessionPost({ instance: this.#instance, admission, ...post }, incoming, body).run();
  }

  /** Forwards the awaited messages of a body; returns the rest, undefined if nothing is left. */
  async #passOn({ id, state, calls }: KnownSession, body: JsonBody): Promise<JsonBody | undefined> {
    const isBatch = Array.isArray(body.value) && revisions[state.revision].batches;
    const messages: readonly unknown[] = isBatch ? (body.value as unknown[]) : [body.value];
    const isPassed = (message: unknown) => {
      const cancelled = cancelledIn(message);
      return isForAnyone(message) && !(cancelled !== undefined && calls.includes(cancelled));
    };
    const passed = messages.filter(isPassed);
    for (const message of passed) await this.#pass({ session: id, message });
    if (passed.length === 0) return body;
    const value = messages.filter((message) => !isPassed(message));
    return value.length === 0 ? undefined : { ...body, value };
  }

  async #pass(order: SessionOrder): Promise<void> {
    const { sessions, relay } = this.#instance;
    if (!isAnswer(order.message)) {
      await sessions.reach(relay.broadcast(order));
    } else if (!(await sessions.reach(relay.deliver(order)))) {
      throw notTaken("No request waits for this answer");
    }
  }

  /**
   * The session of a request. On the endpoint of an editor, an unknown one is continued.
   * @throws HttpRefusal
   */
  async #find(
    { head, admission }: Incoming<Context>,
    opened: Parameters<Instance<Context>["sessions"]["find"]>[2],
  ): Promise<{ readonly known: KnownSession; readonly isContinued: boolean }> {
    const { sessions, live } = this.#instance;
    const id = head.header("mcp-session-id");
    try {
      return { known: await sessions.find(id, admission, opened), isContinued: false };
    } catch (error) {
      const isUnknown = error instanceof HttpRefusal && error.status === 404;
      if (!isUnknown || live === undefined || id === undefined) throw error;
      const state = continuedState(id, head);
      if (state === undefined || (await sessions.isThere(id))) throw error;
      await this.#instance.begin(id, admission, state);
      return { known: await sessions.find(id, admission, opened), isContinued: true };
    }
  }

  /** Begins the stream of a session for messages that belong to no request; returns its newest event. */
  async #begin(known: KnownSession, { admission }: Incoming<Context>): Promise<Place> {
    const { sessions, live } = this.#instance;
    await sessions.reach(this.#instance.openGeneral(known.id, known.record.principal ?? ""));
    if (live !== undefined) {
      return { name: GENERAL, after: this.#instance.listenerOf(known, admission).lastEvent };
    }
    const after = await sessions.reach(this.#instance.appendGeneral(known.id, ""));
    return { name: GENERAL, after: after ?? 0, isPrimed: known.state.revision >= "2025-11-25" };
  }

  /** Continues a stream on the response to a GET, from now on on this one alone. */
  async #follow(
    { admission, responder }: Incoming<Context>,
    known: KnownSession,
    { name, after, isPrimed }: Place,
  ): Promise<boolean> {
    const instance = this.#instance;
    const { id } = known;
    const listener = name === GENERAL ? instance.listenerOf(known, admission) : undefined;
    const response = new FollowedResponse({
      ...{ store: instance.store, key: `${id}:${name}`, name, responder, admission },
      headers: { "mcp-session-id": id },
      ...{ keepAliveMs: instance.keepAliveMs, retryMs: instance.live?.retryMs },
      onend: () => {
        instance.drop(id, response);
        listener?.left(response);
      },
    });
    instance.keep(id, response);
    listener?.carriedBy(response);
    const moved = { stream: name, to: response.token };
    const announced = instance.relay.broadcast({ session: id, moved });
    const isOn = await instance.sessions.reach(
      announced.then(() => response.start(after, isPrimed)),
    );
    if (isOn) listener?.flush();
    return isOn;
  }
}

/** The position from which to continue a stream. */
interface Place {
  readonly name: string;
  readonly after: number;
  readonly isPrimed?: boolean;
}

/** The position in the id of an event. */
function placeOf(lastEventId: string): Place | undefined {
  const [, name, digits] = /^([a-z0-9]{1,32})-(\d{1,12})$/.exec(lastEventId) ?? [];
  return name === undefined ? undefined : { name, after: Number(digits) };
}
