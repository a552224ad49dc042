import { constants } from "node:fs";
import { arch, hostname, release, tmpdir, userInfo } from "node:os";
import { basename } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import type { Boot, Theme } from "../wire.ts";
import { Calls, type DiskFault } from "./calls.ts";
import { Children } from "./children.ts";
import { PAGE_TIMEOUT_MS } from "./chromium.ts";
import { readDeclared } from "./declared.ts";
import { openPageServer, type PageServer } from "./page-server.ts";
import { type StandIn, startStandIn, type TestVault } from "./test-vault.ts";
import { vaultCalls } from "./vault-calls.ts";
import { VaultWatch } from "./vault-watch.ts";

export interface SessionOptions {
  readonly theme: Theme;
  readonly env: Readonly<Record<string, string>>;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly faults: readonly DiskFault[];
  readonly appVersion: string;
  /** The app's local data at its last exit. */
  readonly kept?: Kept;
  /** Called with each address that is opened outside the app. */
  readonly onOpened: (url: string) => void;
}

/** Local storage and databases. */
export type Kept = Awaited<ReturnType<BrowserContext["storageState"]>>;

let browser: Promise<Browser> | undefined;
let declared: Boot["declared"] | undefined;

/** One window of the app, from its start to its end. */
export interface Session {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly standIn: StandIn;
  readonly calls: Calls;
  readonly server: PageServer;
  /** Every address that was requested by the page, or by Node for it. */
  readonly requested: readonly string[];
  /** The app's local data; call it before `close`. */
  keep(): Promise<Kept>;
  close(): Promise<void>;
}

export async function openSession(testVault: TestVault, options: SessionOptions): Promise<Session> {
  const { browser: endpoint, page: built } = inject("obsidianHost");
  browser ??= chromium.connect(endpoint);
  const standIn = startStandIn();
  const vault = vaultCalls(testVault.vault);
  const requested: string[] = [];
  const children = new Children();
  const calls = new Calls({
    vault,
    http: (_, request) => {
      requested.push((request as FetchRequest).url);
      return fetchFor(request as FetchRequest);
    },
    spawn: children.call,
    open: (_, url) => options.onOpened(String(url)),
  });
  calls.faults.push(...options.faults);
  const boot = bootOf(testVault, options, standIn.pid);
  const server = await openPageServer({ boot, calls, built });
  const watch = new VaultWatch(testVault.vault, (paths) => server.emitChanges(paths));
  const leave = async () => {
    watch.close();
    await children.close();
    await server.close();
    await standIn.kill();
  };
  try {
    const context = await openContext(await browser, new URL(server.url).origin, options);
    context.setDefaultTimeout(PAGE_TIMEOUT_MS);
    context.on("request", (request) => requested.push(request.url()));
    const page = await context.newPage();
    page.on("websocket", (socket) => requested.push(socket.url()));
    return {
      ...{ page, context, standIn, calls, server, requested },
      keep: () => context.storageState({ indexedDB: true }),
      close: () => context.close().finally(leave),
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Local data belongs to an origin, and another program may have taken the old port: it moves to the new origin. */
function openContext(
  browser: Browser,
  origin: string,
  { viewport, kept }: SessionOptions,
): Promise<BrowserContext> {
  if (kept === undefined) return browser.newContext({ viewport });
  const origins = kept.origins.map((each) => ({ ...each, origin }));
  return browser.newContext({ viewport, storageState: { ...kept, origins } });
}

function bootOf(
  testVault: TestVault,
  { theme, env, appVersion }: SessionOptions,
  pid: number,
): Boot {
  const { username, uid } = userInfo();
  declared ??= readDeclared().classes;
  return {
    vaultPath: testVault.vaultAsOpened,
    vaultName: basename(testVault.vaultAsOpened),
    home: testVault.home,
    env: { HOME: testVault.home, PATH: "/usr/bin:/bin", LANG: "C.UTF-8", ...env },
    ...{ pid, theme, username, uid, declared, appVersion },
    platform: process.platform,
    arch: arch(),
    tmpdir: tmpdir(),
    hostname: hostname(),
    release: release(),
    fsConstants: { ...constants } as unknown as Record<string, number>,
  };
}

interface FetchRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function fetchFor({ url, ...init }: FetchRequest) {
  const response = await fetch(url, init);
  const bytes = Buffer.from(await response.arrayBuffer()).toString("base64");
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, bytes: { $bytes: bytes } };
}
