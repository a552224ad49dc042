import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { IdewireError } from "@idewire/core";
import type { OpenRedirectTarget, RedirectTarget } from "@idewire/remote/oauth";

export interface LoopbackRedirectOptions {
  /**
   * Shows the authorization server's address to the person, in a browser or as text. Where it resolves with
   * a text, that is the address which the person was sent back to, pasted from a browser on another machine.
   */
  readonly show: (authorizationUrl: string) => unknown;
  /** How long the person may take; five minutes by default. */
  readonly timeoutMs?: number;
}

const PATH = "/callback";

/**
 * Receives the redirect of an authorization server on a loopback port (RFC 8252, section 7.3): the one that is
 * registered if it is free, else any. It takes one answer, to the login that was shown, and closes.
 */
export function loopbackRedirect(options: LoopbackRedirectOptions): OpenRedirectTarget {
  return async (registered) => {
    const server = createServer({ requestTimeout: 5_000, maxHeaderSize: 16_384 });
    const port = registered === undefined ? 0 : Number(new URL(registered).port);
    await listen(server, port).catch(() => listen(server, 0));
    return new LoopbackTarget(server, options);
  };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}

class LoopbackTarget implements RedirectTarget {
  readonly uri: string;
  readonly #server: Server;
  readonly #options: LoopbackRedirectOptions;
  /** Ends a visit that is under way. */
  #cancel: () => void = () => {};

  constructor(server: Server, options: LoopbackRedirectOptions) {
    this.uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
    this.#server = server;
    this.#options = options;
  }

  async visit(authorizationUrl: string): Promise<string> {
    const state = new URL(authorizationUrl).searchParams.get("state");
    const { timeoutMs = 300_000, show } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        this.#cancel = () => reject(new IdewireError("cancelled", "The login was cancelled"));
        const message = `Nobody logged in within ${timeoutMs / 1000} s`;
        timer = setTimeout(() => reject(new IdewireError("timeout", message)), timeoutMs);
        this.#server.on("request", (request, response) => {
          if (this.#take(request, response, state)) resolve(this.uri + queryOf(request));
        });
        Promise.resolve(show(authorizationUrl)).then((pasted) => {
          if (typeof pasted !== "string") return;
          if (URL.canParse(pasted.trim())) resolve(pasted.trim());
          // It may hold a code all the same, and is not repeated.
          else reject(new IdewireError("invalid-argument", "What was pasted is no address"));
        }, reject);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.#cancel();
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeIdleConnections();
    await closed;
  }

  /** @returns whether it is the answer that is waited for */
  #take(request: IncomingMessage, response: ServerResponse, state: string | null): boolean {
    const { host } = new URL(this.uri);
    const isHere = request.headers.host === host && request.method === "GET";
    const path = request.url?.split("?")[0];
    const parameters = new URLSearchParams(queryOf(request));
    if (!isHere || path !== PATH || parameters.get("state") !== state) {
      write(response, 400, "This is not the login that was started here.");
      return false;
    }
    const isRefused = parameters.has("error");
    write(
      response,
      200,
      isRefused
        ? "You are not logged in. You may close this page."
        : "You are logged in. You may close this page.",
    );
    return true;
  }
}

function queryOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

function write(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`<!doctype html><title>idewire</title><p>${words}</p>`);
}
