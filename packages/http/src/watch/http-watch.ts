import { isObject } from "@idewire/core/internal";
import { parseValue } from "../client/parse-object.ts";
import type { Fetch } from "../web-types.ts";
import type { HttpFact, HttpRequestFact } from "./http-fact.ts";
import { redactPerMessage, secretsOfHeaders, secretsOfText, secretsOfUrl } from "./secrets-of.ts";
import { watchBody } from "./watch-body.ts";

/** Receives the observations of a watch. */
export interface HttpWatchOptions {
  readonly onfact: (fact: HttpFact) => void;
  /** Called with each secret, before the fact that contains it. */
  readonly onsecret: (secret: string) => void;
}

/** How a login in the browser ended: at the address of the redirect, or with a problem. */
export type LoginEnd = { readonly redirect: string } | { readonly problem: string };

const MAX_CARRIED = 10;
const MAX_METHOD = 200;

/** Reports the requests of a `fetch`; they and their responses pass unchanged. */
export class HttpWatch {
  readonly #options: HttpWatchOptions;
  #exchanges = 0;

  constructor(options: HttpWatchOptions) {
    this.#options = options;
  }

  /** A `fetch` whose requests are reported. */
  over(send: Fetch): Fetch {
    return async (url, init = {}) => {
      const exchange = this.#next();
      const request = describe(url, init);
      const isMessages = request.carries !== undefined;
      this.#report({ part: "request", exchange, ...request });
      try {
        const response = await send(url, init);
        const { status } = response;
        const headers = redactPerMessage(response.headers);
        this.#report({ part: "response", exchange, status, headers });
        return watchBody(response, {
          isMessages,
          onevent: (event) => this.#report({ part: "event", exchange, ...event }),
          onend: (end) => this.#report({ part: "end", exchange, ...end }),
        });
      } catch (error) {
        this.#report({ part: "end", exchange, bytes: 0, problem: problemOf(error) });
        throw error;
      }
    };
  }

  /** Reports that the person is sent to a login in the browser. @returns a function to call at its end */
  visit(url: string): (end: LoginEnd) => void {
    const exchange = this.#next();
    this.#report({ part: "request", exchange, method: "GET", url, browser: true, headers: [] });
    return (end) => {
      if ("redirect" in end) {
        for (const secret of secretsOfUrl(end.redirect)) this.#options.onsecret(secret);
        const headers = [["location", end.redirect]] as const;
        this.#report({ part: "response", exchange, status: 302, headers });
      }
      const problem = "problem" in end ? { problem: end.problem } : {};
      this.#report({ part: "end", exchange, bytes: 0, ...problem });
    };
  }

  #next(): number {
    this.#exchanges += 1;
    return this.#exchanges;
  }

  #report(fact: HttpFact): void {
    const secrets = [
      ...("headers" in fact ? secretsOfHeaders(fact.headers) : []),
      ...("url" in fact ? secretsOfUrl(fact.url) : []),
      ...("text" in fact && fact.text !== undefined ? secretsOfText(fact.text) : []),
    ];
    for (const secret of secrets) this.#options.onsecret(secret);
    this.#options.onfact(fact);
  }
}

function describe(url: string, init: RequestInit): Omit<HttpRequestFact, "part" | "exchange"> {
  const headers = redactPerMessage(new Headers(init.headers));
  const { method = "GET", body } = init;
  const text =
    typeof body === "string" || body instanceof URLSearchParams ? String(body) : undefined;
  const carries = text === undefined ? undefined : messagesIn(text);
  return {
    ...{ method, url: String(url), headers },
    ...(carries !== undefined ? { carries } : text !== undefined && { text }),
  };
}

/** The JSON-RPC messages of a body; undefined for any other text. */
function messagesIn(text: string): HttpRequestFact["carries"] {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  const messages = [parseValue(text)].flat();
  if (!messages.some((message) => isObject(message) && message["jsonrpc"] === "2.0")) {
    return undefined;
  }
  return messages.slice(0, MAX_CARRIED).map((message) => {
    const { method, id } = isObject(message) ? message : {};
    return {
      method: typeof method === "string" ? method.slice(0, MAX_METHOD) : "answer",
      ...((typeof id === "number" || typeof id === "string") && { id }),
    };
  });
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
