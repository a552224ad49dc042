import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";

export const dist: string = fileURLToPath(
  new URL("../../packages/web-playground/dist", import.meta.url),
);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Answers as any static host does. */
export function sendFile(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  const file = join(dist, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
  if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
  const isPacked = /\bgzip\b/.test(`${request.headers["accept-encoding"]}`);
  response.writeHead(200, {
    "content-type": types[extname(file)] ?? "text/plain",
    ...(isPacked && { "content-encoding": "gzip" }),
  });
  response.end(isPacked ? gzipSync(readFileSync(file)) : readFileSync(file));
}

/** How a page is opened. */
export interface OpenOptions {
  /** What comes after the address, such as `#tour=handshake`. */
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Opens this address instead. */
  readonly url?: string;
}

/** The built playground on loopback, as any static host serves it, and a browser before it. */
export class Site {
  /** What the pages complained of: errors, refused loads, requests to elsewhere. */
  readonly complaints: string[] = [];
  readonly #server: Server;
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly origin: string;

  private constructor(server: Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(): Promise<Site> {
    if (!existsSync(join(dist, "index.html"))) {
      throw new Error(`${dist} has no page: build first (npm run build)`);
    }
    const server = createServer(sendFile);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Site(server, await chromium.connect(inject("playground").browser));
  }

  async page(options: OpenOptions = {}): Promise<Page> {
    const { path = "", width = 1440, height = 900, dark = false, url } = options;
    const context = await this.#browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      reducedMotion: "reduce",
      acceptDownloads: true,
      permissions: url === undefined ? ["clipboard-read", "clipboard-write"] : [],
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on("pageerror", ({ message }) => this.complaints.push(`error: ${message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const to = new URL(request.url());
      if (["http:", "https:", "ws:"].includes(to.protocol) && to.origin !== this.origin) {
        this.complaints.push(`request to ${to.origin}`);
      }
    });
    await page.goto(url ?? `${this.origin}/${path}`);
    return page;
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.#browser.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** How many frames the wire list counts. */
export function framesOf(page: Page): Promise<number> {
  return page.getByTestId("frames").evaluate((element) => Number(element.dataset["frames"]));
}
