import { findRefusal, withoutUnreadable } from "./find-refusal.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpRefusal, toRefusal } from "./http-refusal.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { refuseLargeInitialize } from "./legacy-requests.ts";
import type { LegacyMode } from "./mcp-http-options.ts";
import { ModernHttp } from "./modern-http.ts";
import { isModern } from "./modern-meta.ts";
import { type OpenRequest, OpenRequests } from "./open-requests.ts";
import { accepts } from "./request-head.ts";
import type { Responder } from "./responder.ts";
import type { LiveSessions, Served } from "./served.ts";
import { Instance } from "./sessions/instance.ts";
import { SessionHttp } from "./sessions/session-http.ts";
import { SseHttp } from "./sse-http.ts";
import { StatelessHttp } from "./stateless-http.ts";

export interface HttpEndpointOptions<Context> {
  readonly server: Served<Context>;
  readonly legacy: LegacyMode;
  readonly limits: HttpLimits;
  /** The path of HTTP+SSE; undefined if it is not served. */
  readonly ssePath?: string | undefined;
  readonly onerror?: ((error: Error) => void) | undefined;
  /** For the endpoint of an editor. */
  readonly live?: LiveSessions<Context> | undefined;
}

/** Streamable HTTP, independent of the platform that carries the requests. */
export class HttpEndpoint<Context> {
  readonly #options: HttpEndpointOptions<Context>;
  readonly #instance: Instance<Context>;
  readonly #sessions: SessionHttp<Context> | undefined;
  readonly #stateless: StatelessHttp<Context>;
  /** Undefined for a server of the legacy era alone. */
  readonly #modern: ModernHttp<Context> | undefined;
  readonly #sse: SseHttp<Context>;
  #isClosed = false;
  readonly #open: OpenRequests;

  constructor(options: HttpEndpointOptions<Context>) {
    this.#options = options;
    this.#open = new OpenRequests(options.limits);
    this.#instance = new Instance(options);
    this.#sessions = options.legacy === "sessions" ? new SessionHttp(this.#instance) : undefined;
    this.#stateless = new StatelessHttp(options);
    const { server, limits, onerror } = options;
    if (server.modern !== undefined) this.#modern = new ModernHttp({ server, limits, onerror });
    this.#sse = new SseHttp(this.#instance);
  }

  get limits(): HttpLimits {
    return this.#options.limits;
  }

  /**
   * Answers a request.
   * @throws HttpRefusal before any of the body was read
   */
  answer(incoming: Incoming<Context>): void {
    if (incoming.responder.ended) return;
    if (this.#isClosed) throw new HttpRefusal(503, "The server was closed");
    const { method, path } = incoming.head;
    const isSse = path === this.#options.ssePath;
    const methods = this.#methodsAt(isSse);
    if (!methods.includes(method)) {
      const allow = methods.join(", ");
      throw new HttpRefusal(405, `Use ${allow}`, { headers: { allow } });
    }
    const open = this.#open.open(incoming.admission.principal, incoming.responder);
    if (method === "POST") this.#post(incoming, open, isSse);
    else {
      const late = isSse
        ? this.#sse.get(incoming)
        : this.#sessions?.[method === "DELETE" ? "delete" : "get"](incoming);
      late?.catch((error: unknown) => this.fail(error, incoming.responder));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#instance.close();
    this.#modern?.close();
  }

  #methodsAt(isSse: boolean): readonly string[] {
    if (isSse) return ["GET", "POST"];
    return this.#sessions === undefined ? ["POST"] : ["POST", "GET", "DELETE"];
  }

  /** Reports a bug to the application; an exception in its `onerror` ends nothing here. */
  report(error: unknown): void {
    if (error instanceof HttpRefusal) return;
    try {
      const { server, onerror = server.reportError } = this.#options;
      onerror(error instanceof Error ? error : new Error(String(error)));
    } catch (second) {
      // biome-ignore lint/suspicious/noConsole: the log of the application has failed, and this must not be lost
      console.error(second);
    }
  }

  /**
   * Answers with an error; never throws: if the answer cannot be written, its connection ends.
   * @param answer by default a refusal of an unread request
   */
  fail(
    error: unknown,
    responder: Responder,
    answer: (refused: HttpRefusal) => void = (refused) => responder.refuse(refused),
  ): void {
    this.report(error);
    try {
      answer(toRefusal(error));
    } catch (second) {
      this.report(second);
      responder.destroy();
    }
  }

  #post(incoming: Incoming<Context>, open: OpenRequest, isSse: boolean): void {
    const { head, responder } = incoming;
    if (isSse) this.#sse.refuseUnknown(incoming);
    else if (!accepts(head, "application/json") && !accepts(head, "text/event-stream")) {
      throw new HttpRefusal(406, "A POST is answered by application/json or text/event-stream");
    }
    incoming.readBody(open, (read) => {
      if (responder.ended) return;
      if (read instanceof HttpRefusal) {
        this.fail(read, responder);
        return;
      }
      const body = withoutUnreadable(incoming.admission, read);
      const fail = (error: unknown) => {
        this.fail(error, responder, (refused) => {
          const { status, headers, body: text } = refused.answerTo(body.value);
          responder.answer(status, headers, text);
        });
      };
      try {
        refuseLargeInitialize(body);
        const refusal = findRefusal(incoming.admission, body.value);
        if (refusal !== undefined) throw refusal;
        const late = isSse
          ? this.#sse.post(incoming, body, open)
          : this.#take(incoming, open, body);
        late?.catch(fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  #take(incoming: Incoming<Context>, open: OpenRequest, body: JsonBody): void | Promise<void> {
    const isOurs = this.#options.legacy === "off" || isModern(incoming.head, body.value);
    if (this.#modern !== undefined && isOurs) return this.#modern.post(incoming, body);
    if (this.#sessions === undefined) return this.#stateless.post(incoming, body);
    return this.#sessions.post(incoming, body, open);
  }
}
