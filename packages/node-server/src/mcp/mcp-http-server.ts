import type { IncomingMessage } from "node:http";
import { describeValue } from "@idewire/core/internal";
import type { Authorized } from "@idewire/http";
import type { Admission, HttpHeaders, LiveSessions, Served } from "@idewire/http/internal";
import {
  type Access,
  accessOf,
  answerPreflight,
  answerWithMetadata,
  corsHeaders,
  endpointOptionsOf,
  HttpEndpoint,
  HttpRefusal,
  inspectSource,
  toRefusal,
} from "@idewire/http/internal";
import type { ListenPlace } from "../loopback-server/listen-at.ts";
import {
  type AdmittedRequest,
  LoopbackServer,
  type Verdict,
} from "../loopback-server/loopback-server.ts";
import type { MemoryBudget } from "../loopback-server/memory-budget.ts";
import { RequestMemory } from "../loopback-server/request-memory.ts";
import type { ListenMcpOptions } from "./listen-mcp.ts";
import { NodeHead } from "./node-head.ts";
import { NodeResponder } from "./node-responder.ts";
import { readJson } from "./read-json.ts";

/** The options for the agents of an editor. */
export interface LiveAgents<Context> extends LiveSessions<Context> {
  /** The memory budget of all clients of the listener. */
  readonly budget: MemoryBudget;
}

/** Passes the authorized requests of an HTTP server to an endpoint. */
export class McpHttpServer<Context> {
  readonly #options: ListenMcpOptions<Context>;
  readonly #path: string;
  readonly #endpoint: HttpEndpoint<Context>;
  readonly #access: Access<Context>;
  readonly #server: LoopbackServer<AuthorizedClient<Context>>;
  readonly #budget: MemoryBudget | undefined;

  /** @param live for the agents of an editor */
  constructor(
    server: Served<Context>,
    options: ListenMcpOptions<Context>,
    live?: LiveAgents<Context>,
  ) {
    this.#options = options;
    this.#budget = live?.budget;
    this.#path = options.path ?? "/mcp";
    this.#endpoint = new HttpEndpoint(endpointOptionsOf(server, options, live));
    this.#access = accessOf<Context>(options);
    this.#server = new LoopbackServer({
      admit: (request) => this.#admit(request),
      onrequest: (client, admitted) => this.#answer(client, admitted),
      onerror: (error) => this.#endpoint.report(error),
    });
  }

  /**
   * @returns the port; 0 for a socket of the file system
   * @throws IdewireError `port-in-use`, `invalid-argument`
   */
  listen(place: ListenPlace): Promise<number> {
    return this.#server.listen(place);
  }

  close(): Promise<void> {
    this.#endpoint.close();
    return this.#server.close();
  }

  #answer(
    { head, admission }: AuthorizedClient<Context>,
    { request, response, expectsContinue }: AdmittedRequest,
  ): void {
    const responder = new NodeResponder(request, response);
    const cors = this.#corsOf(request);
    if (cors !== undefined) responder.addHeaders(cors);
    const maxBytes = this.#endpoint.limits.maxBodyBytes;
    const memory = this.#budget && new RequestMemory(responder, this.#budget);
    const onWanted = expectsContinue ? () => response.writeContinue() : undefined;
    try {
      this.#endpoint.answer({
        head,
        admission,
        responder,
        readBody: (holder, done) =>
          readJson(request, { maxBytes, holder: memory?.with(holder) ?? holder, onWanted }, done),
      });
    } catch (error) {
      this.#endpoint.fail(error, responder);
    }
  }

  /** With a token, for programs on this machine, no page is admitted by default. */
  get #allowedOrigins(): readonly string[] {
    const { allowedOrigins = "token" in this.#options ? [] : ["own"] } = this.#options;
    return allowedOrigins;
  }

  #corsOf(request: IncomingMessage): HttpHeaders | undefined {
    if (request.headers.origin === undefined) return undefined;
    return corsHeaders(new NodeHead(request), this.#allowedOrigins);
  }

  #admit(request: IncomingMessage): Answered<Context> | Promise<Answered<Context>> {
    try {
      return this.#authorizeHead(request);
    } catch (error) {
      return this.#refuse(request, error);
    }
  }

  /** @throws HttpRefusal, and what `authorize` throws */
  #authorizeHead(request: IncomingMessage): Answered<Context> | Promise<Answered<Context>> {
    const { allowedHosts = [] } = this.#options;
    const source = inspectSource(request, { allowedHosts, allowedOrigins: this.#allowedOrigins });
    if (source !== undefined) throw new HttpRefusal(source.status, source.message);
    const head = new NodeHead(request);
    const preflight = this.#corsOf(request) && answerPreflight(head);
    const open = preflight ?? answerWithMetadata(head, this.#access.resourceMetadata);
    if (open !== undefined) throw open;
    if (![this.#path, `${this.#path}/`, this.#options.ssePath].includes(head.path)) {
      const seen = describeValue(head.path);
      throw new HttpRefusal(404, `There is nothing at ${seen}; use ${this.#path}`);
    }
    const who = this.#access.authorize(head);
    if (!(who instanceof Promise)) return toAnswered(head, who);
    return who
      .then((late) => toAnswered(head, late))
      .catch((error) => this.#refuse(request, error));
  }

  #refuse(request: IncomingMessage, error: unknown): Answered<Context> {
    this.#endpoint.report(error);
    const { headers, ...answer } = toRefusal(error).answerTo();
    return { ...answer, headers: { ...this.#corsOf(request), ...headers } };
  }
}

/** A client whose request is authorized. */
interface AuthorizedClient<Context> {
  readonly head: NodeHead;
  readonly admission: Admission<Context>;
}

type Answered<Context> = Verdict<AuthorizedClient<Context>>;

/** @throws HttpRefusal for a request that is not authorized */
function toAnswered<Context>(head: NodeHead, who: Authorized<Context>): Answered<Context> {
  if ("status" in who) throw new HttpRefusal(who.status, who.message, who);
  return { client: { head, admission: who } };
}
