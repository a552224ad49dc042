import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { messageOf } from "@idewire/core/internal/base";
import { IdewireError } from "@idewire/core/rpc";
import type { OpenRedirectTarget } from "@idewire/http/internal";
import type { RedirectTarget } from "@idewire/http/oauth";
import { listenAt } from "../loopback-server/listen-at.ts";

export interface LoopbackRedirectOptions {
  /**
   * Shows the authorization server's address to the person, in a browser or as text. It may resolve with a text:
   * the address of the redirect, pasted from a browser on another machine.
   */
  readonly show: (authorizationUrl: string) => unknown;
  /** The time-out of the login; five minutes by default. */
  readonly timeoutMs?: number;
  /** The only port to use, where the authorization server compares redirect URIs with their port. */
  readonly port?: number | undefined;
}

const PATH = "/callback";
/** How long `close` waits for connections: browsers open some that they do not use. */
const CLOSING_MS = 1_000;

/**
 * Receives the redirect of an authorization server on a loopback port (RFC 8252, section 7.3): the given one, else the
 * registered one if it is free, else any. It accepts one answer, to the login that was shown, and shows the person the outcome of
 * the login in the browser.
 */
export function loopbackRedirect(options: LoopbackRedirectOptions): OpenRedirectTarget {
  return async (registered) => {
    const server = createServer({ requestTimeout: 5_000, maxHeaderSize: 16_384 });
    const { port } = options;
    if (port !== undefined) await listenAt(server, { port });
    else {
      const known = registered === undefined ? 0 : Number(new URL(registered).port);
      await listenAt(server, { port: known }).catch(() => listenAt(server, {}));
    }
    return new LoopbackTarget(server, options);
  };
}

class LoopbackTarget implements RedirectTarget {
  readonly uri: string;
  readonly #server: Server;
  readonly #options: LoopbackRedirectOptions;
  /** Pages that wait for the outcome of the login. */
  readonly #waiting = new Set<ServerResponse>();
  /** The outcome of the login; undefined before its end. */
  #outcome: string | undefined;
  #state: string | null | undefined;
  #resolve: (address: string) => void = () => {};
  /** Ends a visit in progress. */
  #cancel: () => void = () => {};

  constructor(server: Server, options: LoopbackRedirectOptions) {
    this.uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    this.#server = server;
    this.#options = options;
    server.on("request", (request, response) => this.#take(request, response));
  }

  async visit(authorizationUrl: string): Promise<string> {
    // The server required another attempt.
    this.#finish("This login continues on another page.");
    this.#state = new URL(authorizationUrl).searchParams.get("state");
    const { timeoutMs = 300_000, show } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#resolve = resolve;
        this.#cancel = () => reject(new IdewireError("cancelled", "The login was cancelled"));
        const message = `No login within ${timeoutMs / 1000} s`;
        timer = setTimeout(() => reject(new IdewireError("timeout", message)), timeoutMs);
        Promise.resolve(show(authorizationUrl)).then((pasted) => {
          if (typeof pasted !== "string") return;
          if (URL.canParse(pasted.trim())) resolve(pasted.trim());
          // It may still contain a code, so the error does not repeat it.
          else reject(new IdewireError("invalid-argument", "The pasted text is not an address"));
        }, reject);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(failure?: unknown): Promise<void> {
    this.#cancel();
    this.#outcome ??=
      failure === undefined ? "You are logged in." : `You are not logged in. ${wordsOf(failure)}`;
    this.#finish(this.#outcome);
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSING_MS);
    await closed;
    clearTimeout(timer);
  }

  /** Receives the code; whether tokens are issued for it is known later. */
  #take(request: IncomingMessage, response: ServerResponse): void {
    const { host } = new URL(this.uri);
    const isHere = request.headers.host === host && request.method === "GET";
    const path = request.url?.split("?")[0];
    const state = new URLSearchParams(queryOf(request)).get("state");
    if (!isHere || path !== PATH || state !== this.#state) {
      write(response, 400, "This is not the login that was started here.");
      return;
    }
    if (this.#outcome !== undefined) {
      finish(response, this.#outcome);
      return;
    }
    this.#waiting.add(response);
    response.once("close", () => this.#waiting.delete(response));
    this.#resolve(this.uri + queryOf(request));
  }

  #finish(words: string): void {
    for (const response of this.#waiting) finish(response, words);
    this.#waiting.clear();
  }
}

function finish(response: ServerResponse, words: string): void {
  write(response, 200, `${words} You may close this page.`);
}

/** One line, without characters that a page would hide or interpret. */
function wordsOf(failure: unknown): string {
  const words = messageOf(failure);
  const line = words.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trimEnd();
  return line.endsWith(".") ? line : `${line}.`;
}

function queryOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}" +
  "body{max-width:36em;margin:20vh auto;padding:0 24px;overflow-wrap:anywhere}h1{font-size:1.25em}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

function write(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'`,
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  const text = words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const head = `<meta name="viewport" content="width=device-width"><title>idewire</title>`;
  const page = `${head}<style>${STYLE}</style><h1>idewire</h1><p>${text}</p>`;
  response.end(`<!doctype html><html lang="en">${page}</html>`);
}
