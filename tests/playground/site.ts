import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { PAGE_TIMEOUT_MS } from "../obsidian-host/node/chromium.ts";
import { Tab, type TabOptions } from "./tab.ts";

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

/** Responds as a static host does. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { packs = false } = {},
): void {
  const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
  const file = join(dist, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
  if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
  const isPacked = packs && /\bgzip\b/.test(`${request.headers["accept-encoding"]}`);
  response.writeHead(200, {
    "content-type": types[extname(file)] ?? "text/plain",
    ...(isPacked && { "content-encoding": "gzip" }),
    // Their names contain hashes. A tab's next page reuses them with their compiled code.
    ...(pathname.startsWith("/assets/") && { "cache-control": "max-age=31536000, immutable" }),
  });
  response.end(isPacked ? gzipSync(readFileSync(file)) : readFileSync(file));
}

/** The idle page of a tab between tests, of the same origin, so that its storage can be cleared. */
const REST = "/at-rest";

/** Options of a page. */
export interface SitePageOptions extends TabOptions {
  /** The end of the address, such as `#tour=handshake`. */
  readonly path?: string;
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** Opens this address instead, in a tab of its own. */
  readonly url?: string;
}

/** The built playground on loopback, served as by any static host, and a browser. */
export class Site {
  /** Errors, refused loads and requests to other hosts. */
  readonly complaints: string[] = [];
  /** Idle tabs for the next tests: with a running clock, and with a stopped one. */
  readonly #atRest: Readonly<Record<"going" | "stopped", Tab[]>> = { going: [], stopped: [] };
  #server: Server | undefined;
  #browser: Browser | undefined;
  #origin = "";

  get origin(): string {
    return this.#origin;
  }

  async open(): Promise<void> {
    if (!existsSync(join(dist, "index.html"))) {
      throw new Error(`${dist} has no page: build first (npm run build)`);
    }
    const server = createServer((request, response) => {
      if (request.url !== REST) return sendFile(request, response);
      response.writeHead(200, { "content-type": "text/html" });
      response.end('<!doctype html><link rel="icon" href="data:,">');
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#browser = await chromium.connect(inject("playground").browser);
  }

  /** Opens the page as on a first visit; closed when the test ends. */
  async page({ path = "", ...options }: SitePageOptions = {}): Promise<Page> {
    const { width = 1440, height = 900, dark = false, url, stopped = false } = options;
    const isOwn = url !== undefined || options.offline === true;
    const atRest = this.#atRest[stopped ? "stopped" : "going"];
    const tab = (isOwn ? undefined : atRest.pop()) ?? (await this.#openTab(options));
    onTestFinished(() => (isOwn ? tab.close() : this.#leave(tab, atRest)));
    const { page } = tab;
    tab.isWatched = true;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({
      colorScheme: dark ? "dark" : "light",
      reducedMotion: "reduce",
      forcedColors: "none",
    });
    await page.goto(url ?? `${this.#origin}/${path}`);
    return page;
  }

  /** Opens the page and waits until its simulated agent is connected. */
  async connected(options: SitePageOptions = {}): Promise<Page> {
    const page = await this.page(options);
    await untilTrue(page, "document.getElementById('app')?.textContent.includes('Connected to')");
    return page;
  }

  async close(): Promise<void> {
    for (const tab of [...this.#atRest.going, ...this.#atRest.stopped]) await tab.close();
    await this.#browser?.close();
    const server = this.#server;
    if (server === undefined) return;
    // Browsers open spare connections, which `close` would wait for.
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #openTab(options: SitePageOptions): Promise<Tab> {
    if (this.#browser === undefined) throw new Error("the site is not open: call useSite() first");
    const mayCopy = options.url === undefined;
    return Tab.open(this.#browser, { ...options, mayCopy }, (complaint) => {
      if (complaint !== `request to ${this.#origin}`) this.complaints.push(complaint);
    });
  }

  /** Reuses the tab if it can be cleared: a new one costs more. */
  async #leave(tab: Tab, atRest: Tab[]): Promise<void> {
    const isClean = await tab.clear(`${this.#origin}${REST}`);
    if (isClean) atRest.push(tab);
    else await tab.close();
  }
}

/** A site for the tests of a file, which fails on complaints unless they are allowed. */
export function useSite({ mayComplain = false } = {}): Site {
  const site = new Site();
  beforeAll(() => site.open());
  afterAll(async () => {
    await site.close();
    if (!mayComplain) expect(site.complaints).toEqual([]);
  });
  return site;
}

/** Polls every 50 ms: a locator soon polls only twice a second. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const timing = { timeout: PAGE_TIMEOUT_MS, interval: 50 };
  await expect.poll(() => page.evaluate(expression), timing).toBe(true);
}

/** How many frames the wire list counts. */
export function framesOf(page: Page): Promise<number> {
  return page.getByTestId("frames").evaluate((element) => Number(element.dataset["frames"]));
}
