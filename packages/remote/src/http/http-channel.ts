import { type Clock, IdewireError, systemClock } from "@idewire/core";
import type { Fetch } from "../web-types.ts";
import { refusedBy, rpcErrorIn } from "./failures.ts";
import { parseObject } from "./parse-object.ts";
import { discard, mediaType, readText } from "./read-text.ts";

/** What the credentials of a request may depend on. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly url: URL;
}

/** Names the client to the server with each request, and answers its challenges. */
export interface Authorization {
  /**
   * Resolves with the response to a request, which it sends with the headers of its credentials, such as
   * `Authorization`, and again once it has answered a challenge.
   * @param send sends the request with further headers; the bodies of responses other than the one that is returned
   * are discarded
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
  /** Sent with each request to the server, but for those that MCP defines. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: Authorization;
  /** How large an answer, or an event, may be; 16 MiB by default. */
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
  /** Those of a request of the modern era, which has no session. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const MAX_REDIRECTS = 3;
const ACCEPTED = {
  POST: "application/json, text/event-stream",
  GET: "text/event-stream",
  DELETE: undefined,
};
/** Shorter ones are words of their own. */
const SHORTEST_SECRET = 8;
/** In bytes; nothing is shown of a longer one. */
const LONGEST_REFUSAL = 65_536;
/** How much of a media type is shown. */
const LONGEST_TYPE = 60;

/** Sends the HTTP requests of one MCP session. */
export class HttpChannel {
  /** The endpoint; another one after a redirect. */
  url: URL;
  /**
   * For messages to a person: the address that was given, without its query, which may hold secrets. One that
   * the server has named could repeat ours.
   */
  readonly name: string;
  readonly clock: Clock;
  /** Sent as `Mcp-Session-Id`, once the server has named it. */
  session: string | undefined;
  /** Sent as `MCP-Protocol-Version`, once it is negotiated. */
  protocolVersion: string | undefined;
  readonly #options: HttpOptions;
  readonly #fetch: Fetch;
  readonly #headers: Headers;
  /** What was sent with the requests for these responses. */
  readonly #secrets = new WeakMap<Response, readonly string[]>();

  /** @throws IdewireError `invalid-argument` for an address, or a header, that cannot be sent */
  constructor(url: string | URL, options: HttpOptions, name?: string) {
    this.url = requireHttp(url);
    this.#headers = headersOf(options.headers);
    this.name = name ?? this.url.origin + this.url.pathname;
    this.clock = options.clock ?? systemClock;
    this.#options = options;
    // Called as a function of the global object, as browsers demand.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
  }

  get maxFrameBytes(): number {
    return this.#options.maxFrameBytes ?? 1 << 24;
  }

  /**
   * The error of a response that is not the answer to a request: what its body says, without what the client has
   * sent with the request, which a server may repeat; else its status, however large or broken the body is.
   * @param isOfStatus whether the status alone decides: a body may hold anything
   */
  async refusal(what: string, response: Response, isOfStatus = false): Promise<Error> {
    const read = await readText(response, LONGEST_REFUSAL, what).catch(() => "");
    const body = this.withoutSecrets(response, this.withoutSecretsInError(response, read));
    return (isOfStatus ? undefined : rpcErrorIn(body)) ?? refusedBy(what, response.status, body);
  }

  /** What a response is that should be another one, for messages to a person. */
  describe(response: Response): string {
    const type = this.withoutSecrets(response, mediaType(response)).slice(0, LONGEST_TYPE);
    return `HTTP ${response.status} ${type}`.trimEnd();
  }

  /** Words of a response, without what the client has sent with the request. */
  withoutSecrets(response: Response, words: string): string {
    const secrets = this.#secrets.get(response) ?? [];
    return secrets.reduce((text, secret) => text.replaceAll(secret, "…"), words);
  }

  /** A frame of a response; if it is an error, without what the client has sent with the request. */
  withoutSecretsInError(response: Response, frame: string): string {
    // Most frames are no errors, or there is nothing to hide: they need not be parsed here.
    if (!this.#secrets.get(response)?.length || !/"error"|\\u/.test(frame)) return frame;
    const message = parseObject(frame);
    if (message?.["error"] === undefined) return frame;
    return JSON.stringify(message, (_, part: unknown) =>
      typeof part === "string" ? this.withoutSecrets(response, part) : part,
    );
  }

  /** A channel to another address, with the same options and no session. */
  at(url: URL): HttpChannel {
    return new HttpChannel(url, this.#options, this.name);
  }

  /**
   * Resolves with the response to a request, after challenges and redirects within the origin.
   * @throws IdewireError `unauthorized`; what `fetch` throws
   */
  async send(request: HttpRequest): Promise<Response> {
    const { authorization } = this.#options;
    const { method } = request;
    const sendOnce = (credentials: Headers) => this.#sendOnce(request, credentials);
    for (let redirects = 1; ; redirects += 1) {
      const response = await (authorization === undefined
        ? sendOnce(new Headers())
        : authorization.send({ method, url: this.url }, sendOnce));
      if (response.status !== 307 && response.status !== 308) return response;
      this.#redirect(response, redirects);
      discard(response);
    }
  }

  async #sendOnce(
    { method, body, lastEventId, signal, headers: own }: HttpRequest,
    credentials: Headers,
  ): Promise<Response> {
    headersOf(own);
    const headers = new Headers(this.#headers);
    credentials.forEach((value, name) => {
      headers.set(name, value);
    });
    const secrets = secretsIn(headers);
    const ours = {
      accept: ACCEPTED[method],
      "content-type": body === undefined ? undefined : "application/json",
      "last-event-id": lastEventId,
      ...(own ?? { "mcp-session-id": this.session, "mcp-protocol-version": this.protocolVersion }),
    };
    for (const [name, value] of Object.entries(ours)) {
      if (value !== undefined) headers.set(name, value);
    }
    const response = await this.#fetch(this.url.href, {
      method,
      headers,
      // Credentials stay with the origin that they are for, and a POST stays a POST.
      redirect: "manual",
      body: body ?? null,
      signal,
    });
    this.#secrets.set(response, secrets);
    return response;
  }

  #redirect(response: Response, count: number): void {
    const to = parseUrl(response.headers.get("location") ?? "", this.url);
    if (isWithin(to, this.url.origin) && count <= MAX_REDIRECTS) {
      this.url = to;
      return;
    }
    const where = this.withoutSecrets(response, to ? to.origin + to.pathname : "nowhere");
    const text = `${this.name} redirects to ${where}: connect to the address that is meant`;
    throw new IdewireError("unreachable", text);
  }
}

/** What of headers must not be shown: their values, and those after a scheme such as `Bearer`. */
function secretsIn(headers: Headers): readonly string[] {
  const secrets: string[] = [];
  headers.forEach((value) => {
    const last = value.slice(value.lastIndexOf(" ") + 1);
    secrets.push(...[value, last].filter(({ length }) => length >= SHORTEST_SECRET));
  });
  return secrets;
}

/** @returns undefined for what is no address */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Whether an address is one of an origin, and without a password, which `fetch` refuses. */
export function isWithin(address: URL | undefined, origin: string | undefined): address is URL {
  return address?.href.startsWith(`${origin}/`) === true;
}

/** @throws IdewireError for what `fetch` would refuse in words that hold the password */
function requireHttp(url: string | URL): URL {
  const parsed = parseUrl(String(url));
  if (isWithin(parsed, parsed?.origin) && /^https?:/.test(parsed.href)) return parsed;
  const seen = String(url).replace(/\/\/[^/]*@/, "//…@");
  const wanted = "an http or https address without a password";
  throw new IdewireError("invalid-argument", `Expected ${wanted}, got ${seen}`);
}

/** @throws IdewireError for what `fetch` would refuse in words that hold the value */
function headersOf(given: Readonly<Record<string, string>> = {}): Headers {
  try {
    return new Headers(given);
  } catch {
    throw new IdewireError(
      "invalid-argument",
      `HTTP cannot send all of ${String(Object.keys(given))}`,
    );
  }
}
