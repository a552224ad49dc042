import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers";
import type { McpServer } from "@idewire/core/server";
import type { Admission, Authorized } from "@idewire/http";
import {
  type Access,
  accessOf,
  answerPreflight,
  answerWithMetadata,
  corsHeaders,
  endpointOptionsOf,
  HttpEndpoint,
  inspectSource,
  Refused,
  toRefused,
} from "@idewire/http/internal";
import { headOnlyUnless, isHeadOnly } from "../admission/head-only.ts";
import { UnadmittedSockets } from "../admission/unadmitted-sockets.ts";
import type { ListenMcpOptions } from "./listen-mcp.ts";
import { NodeHead } from "./node-head.ts";
import { NodeResponder } from "./node-responder.ts";
import { readJson } from "./read-json.ts";
import { refuseUnadmitted } from "./refuse.ts";

/** An answer may wait for a person; a request may not dawdle. */
const patience = {
  headersTimeout: 5_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
};

/** The server of `node:http`, which shows the endpoint what is let in. */
export class McpHttpServer<Context> {
  readonly http: Server;
  readonly #options: ListenMcpOptions<Context>;
  readonly #path: string;
  readonly #endpoint: HttpEndpoint<Context>;
  readonly #access: Access<Context>;
  readonly #unadmitted = new UnadmittedSockets();

  constructor(server: McpServer<Context>, options: ListenMcpOptions<Context>, path: string) {
    this.#options = options;
    this.#path = path;
    this.#endpoint = new HttpEndpoint(endpointOptionsOf(server, options));
    this.#access = accessOf<Context>(options);
    const isAdmitted = (request: IncomingMessage) => !(this.#judge(request) instanceof Refused);
    this.http = createServer({ ...patience, IncomingMessage: headOnlyUnless(isAdmitted) });
    this.http.on("request", (request, response) => this.#answer(request, response));
    this.http.on("checkContinue", (request, response) => {
      this.#answer(request, response, true);
    });
    this.http.on("upgrade", (request, socket) => {
      const verdict = this.#judge(request);
      const fault = new Refused(400, "No upgrade is understood here");
      const refused = verdict instanceof Refused ? verdict : fault;
      refuseUnadmitted(socket as Socket, request, refused, this.#corsOf(request));
    });
    this.http.on("connection", (socket) => this.#unadmitted.add(socket));
  }

  async close(): Promise<void> {
    this.#endpoint.close();
    const closed = once(this.http, "close");
    this.http.close();
    this.http.closeIdleConnections();
    // What is answered in this turn still leaves.
    setImmediate(() => setImmediate(() => this.http.closeAllConnections()));
    await closed;
  }

  /** @param asks whether the client waits for a word before it sends the body */
  #answer(request: IncomingMessage, response: ServerResponse, asks = false): void {
    const judged = this.#judge(request);
    const responder = new NodeResponder(request, response);
    const cors = this.#corsOf(request);
    if (cors !== undefined) responder.addHeaders(cors);
    const fail = (error: unknown) => this.#endpoint.fail(error, responder);
    if (judged instanceof Refused) {
      // Should Node have asked its class of nothing, nobody is let in by that.
      if (isHeadOnly(request)) refuseUnadmitted(request.socket, request, judged, cors);
      else fail(judged);
      return;
    }
    const { head, who } = judged;
    const admit = (verdict: Admission<Context> | Refused) => {
      if (verdict instanceof Refused) throw verdict;
      this.#unadmitted.delete(request.socket);
      const maxBytes = this.#endpoint.limits.maxBodyBytes;
      const onWanted = asks ? () => response.writeContinue() : undefined;
      this.#endpoint.answer({
        head,
        admission: verdict,
        responder,
        readBody: (done) => readJson(request, { maxBytes, onWanted }, done),
      });
    };
    if (who instanceof Promise) {
      who.then((late) => admit(toVerdict(late))).catch(fail);
      return;
    }
    try {
      admit(who);
    } catch (error) {
      fail(error);
    }
  }

  /** With a token for the programs of this machine, no page is let in by default. */
  get #allowedOrigins(): readonly string[] {
    const { allowedOrigins = "token" in this.#options ? [] : ["own"] } = this.#options;
    return allowedOrigins;
  }

  #corsOf(request: IncomingMessage) {
    if (request.headers.origin === undefined) return undefined;
    return corsHeaders(new NodeHead(request), this.#allowedOrigins);
  }

  /** Looks at a head, once: who sends it, or why it is refused. */
  #judge(request: IncomingMessage): Verdict<Context> {
    const judged: { verdict?: Verdict<Context> } = request as object;
    judged.verdict ??= this.#inspect(request);
    return judged.verdict;
  }

  /** Never throws: Node calls it while it reads the head. */
  #inspect(request: IncomingMessage): Verdict<Context> {
    try {
      return this.#authorizeHead(request);
    } catch (error) {
      this.#endpoint.report(error);
      return toRefused(error);
    }
  }

  #authorizeHead(request: IncomingMessage): Verdict<Context> {
    const { allowedHosts = [] } = this.#options;
    const source = inspectSource(request, { allowedHosts, allowedOrigins: this.#allowedOrigins });
    if (source !== undefined) return new Refused(source.status, source.message);
    const head = new NodeHead(request);
    const preflight = this.#corsOf(request) && answerPreflight(head);
    const open = preflight ?? answerWithMetadata(head, this.#access.resourceMetadata);
    if (open !== undefined) return open;
    if (head.path !== this.#path && head.path !== this.#options.ssePath) {
      const seen = JSON.stringify(head.path);
      return new Refused(404, `There is nothing at ${seen}; use ${this.#path}`);
    }
    const who = this.#access.authorize(head);
    if (who instanceof Promise) {
      // Node answers some expectations by itself: nobody may be left to hear of its failure.
      who.catch(() => undefined);
      return { head, who };
    }
    const verdict = toVerdict(who);
    return verdict instanceof Refused ? verdict : { head, who: verdict };
  }
}

/** Who sends a request, or why it is refused. */
type Verdict<Context> = Refused | Judged<Context>;

interface Judged<Context> {
  readonly head: NodeHead;
  readonly who: Admission<Context> | Promise<Authorized<Context>>;
}

function toVerdict<Context>(who: Authorized<Context>): Admission<Context> | Refused {
  return "status" in who ? new Refused(who.status, who.message, who) : who;
}
