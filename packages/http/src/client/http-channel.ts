import {
  asObject,
  isObject,
  MAX_FRAME_BYTES,
  type Redactor,
  systemClock,
} from "@idewire/core/internal";
import { type Clock, IdewireError } from "@idewire/core/rpc";
import type { Fetch } from "../web-types.ts";
import { isWithin, parseUrl, requireHttp } from "./addresses.ts";
import { parseValue } from "./parse-object.ts";
import { discard, readText } from "./read-text.ts";
import { SentSecrets, secretsOf } from "./secrets.ts";

/** The parts of a request that its credentials may depend on. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
  /** Redacts secrets sent to the server in its answers. */
  readonly redactor?: Redactor;
}

/** Authenticates the client to the server with each request, and answers the server's challenges. */
export interface Authorization {
  /**
   * Sends a request with the headers of its credentials, such as `Authorization`, again after each challenge that
   * it can answer, and resolves with the response.
   * @param send sends the request with further headers; only the body of the returned response is read
   * @throws IdewireError `unauthorized` when the client cannot be authorized; what `send` throws
   */
  send(
    request: AuthorizedRequest,
    send: (credentials: Headers) => Promise<Response>,
  ): Promise<Response>;
}

/** How a server is reached over HTTP. */
export interface HttpOptions {
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: Fetch;
  /** Sent with each request to the server, except for headers that MCP defines. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: Authorization;
  /** The size limit of an answer or an event; 16 MiB by default. */
  readonly maxFrameBytes?: number;
  readonly clock?: Clock;
}

/** One HTTP request to an MCP server. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly body?: string;
  /** The event after which to resume. */
  readonly lastEventId?: string | undefined;
  readonly signal: AbortSignal;
  /** Called before and after a prerequisite of the request, such as a login. */
  readonly hold?: (isHeld: boolean) => unknown;
  /** The headers of a request of the modern era, which has no session. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_REDIRECTS = 3;
const EVENTS = "text/event-stream";
/** In bytes; nothing is shown of a body that is longer or takes longer. */
const LONGEST_REFUSAL = 65_536;
const LONGEST_REFUSAL_MS = 1_000;

/** Sends the HTTP requests of one MCP session. */
export class HttpChannel {
  /** The endpoint; another one after a redirect. */
  url: URL;
  /**
   * The address in error messages: as it was given, without its query, which may hold secrets. An address that the
   * server names could repeat them.
   */
  readonly name: string;
  readonly clock: Clock;
  /** The size limit of an answer or an event. */
  readonly maxFrameBytes: number;
  /** Sent as `Mcp-Session-Id`, once the server has named it. */
  session: string | undefined;
  /** Sent as `MCP-Protocol-Version`, once it is negotiated. */
  protocolVersion: string | undefined;
  readonly #options: HttpOptions;
  readonly #headers: Readonly<Record<string, string>>;
  /** The secrets in the options. */
  readonly #own: readonly string[];
  /** The secrets sent lately, the newest last; shared with the channel that this one replaces. */
  readonly #secrets: SentSecrets;

  /**
   * @param before the channel that this one replaces
   * @throws IdewireError `invalid-argument` for an address, or a header, that cannot be sent
   */
  constructor(url: string | URL, options: HttpOptions, before?: HttpChannel) {
    this.url = requireHttp(url);
    this.name = before?.name ?? this.url.origin + this.url.pathname;
    this.clock = options.clock ?? systemClock;
    this.maxFrameBytes = options.maxFrameBytes ?? MAX_FRAME_BYTES;
    this.#options = options;
    this.#headers = Object.fromEntries(headersOf(options.headers));
    this.#own = [...Object.values(this.#headers), ...secretsOf(this.url)];
    this.#secrets = before === undefined ? new SentSecrets() : before.#secrets;
    this.#secrets.add(this.#own);
  }

  /**
   * The text of a refusal's body, without the secrets that the client has sent, which a server may repeat; empty
   * for a body that is too large, takes too long or breaks off.
   * @param controller of the request, which is aborted then
   */
  async readRefusal(response: Response, controller: AbortController): Promise<string> {
    const timer = this.clock.setTimeout(() => controller.abort(), LONGEST_REFUSAL_MS);
    const limit = { what: "", maxBytes: LONGEST_REFUSAL };
    const body = await readText(response, controller.signal, limit).catch(() => "");
    this.clock.clearTimeout(timer);
    return this.redact(this.redactErrors(body));
  }

  /** A JSON value of a server, without the secrets that the client has sent to it. */
  redact<T>(value: T): T {
    return this.#secrets.redact(value);
  }

  /**
   * A frame of the server; an error, or a batch that contains one, without the secrets that the client has sent to
   * it.
   */
  redactErrors(frame: string): string {
    // Frames without an error, and all frames if no secret was sent, are not parsed here.
    if (this.#secrets.isEmpty || !/"error"|\\u/.test(frame)) return frame;
    const value = parseValue(frame);
    const isError = (message: unknown) => isObject(asObject(message)["error"]);
    if (![value].flat().some(isError)) return frame;
    const shown = (message: unknown) => (isError(message) ? this.redact(message) : message);
    return JSON.stringify(Array.isArray(value) ? value.map(shown) : shown(value));
  }

  /** Stops sending the headers of the previous session. */
  beginSession(): void {
    this.session = undefined;
    this.protocolVersion = undefined;
  }

  /** A channel to another address, with the same options and no session. */
  at(url: URL): HttpChannel {
    return new HttpChannel(url, this.#options, this);
  }

  /**
   * Resolves with the response to a request, after challenges and redirects within the origin.
   * @throws IdewireError `unauthorized`; what `fetch` throws
   */
  async send(request: HttpRequest, redirects: number = MAX_REDIRECTS): Promise<Response> {
    const response = await this.#sendAuthorized(request);
    if (response.status !== 307 && response.status !== 308) return response;
    discard(response);
    this.#redirect(response, redirects);
    return this.send(request, redirects - 1);
  }

  async #sendAuthorized(request: HttpRequest): Promise<Response> {
    const { authorization } = this.#options;
    const { method, hold } = request;
    if (authorization === undefined) return this.#sendOnce(request);
    hold?.(true);
    return authorization.send({ method, url: this.url, redactor: this }, async (credentials) => {
      hold?.(false);
      const answer = await this.#sendOnce(request, credentials);
      // Only a refused request waits for other credentials; the time-out of its answer is already running.
      if (answer.status === 401 || answer.status === 403) hold?.(true);
      return answer;
    });
  }

  async #sendOnce(
    { method, body, lastEventId, signal, headers: own }: HttpRequest,
    authorized?: Headers,
  ): Promise<Response> {
    const credentials = Object.fromEntries(authorized ?? []);
    const headers = headersOf({
      ...this.#headers,
      ...credentials,
      accept: body === undefined ? EVENTS : `application/json, ${EVENTS}`,
      "content-type": body && "application/json",
      "last-event-id": lastEventId,
      ...(own ?? { "mcp-session-id": this.session, "mcp-protocol-version": this.protocolVersion }),
    });
    this.#secrets.add([...Object.values(credentials), this.session, ...this.#own]);
    // Not as a method, which browsers refuse.
    const send = this.#options.fetch ?? fetch;
    return send(this.url.href, {
      method,
      headers,
      // Credentials stay with the origin that they are for, and a POST stays a POST.
      redirect: "manual",
      body: body ?? null,
      signal,
    });
  }

  #redirect(response: Response, left: number): void {
    const to = parseUrl(response.headers.get("location") ?? "", this.url);
    if (isWithin(to, this.url.origin) && left > 0) {
      this.url = to;
      return;
    }
    const [where] = this.redact(to?.href ?? "nowhere").split(/[?#]/, 1);
    const text = `${this.name} redirects to ${where}: connect to the address that is meant`;
    throw new IdewireError("unreachable", text);
  }
}

/** @throws IdewireError for a value that `fetch` would repeat in its error */
function headersOf(given: Readonly<Record<string, string | undefined>> = {}): Headers {
  const headers = new Headers();
  try {
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) headers.set(name, value);
    }
    return headers;
  } catch {
    const names = Object.keys(given).join(", ");
    throw new IdewireError("invalid-argument", `HTTP cannot send all of ${names}`);
  }
}
