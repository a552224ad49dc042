import type { Browser, BrowserContext, Page } from "playwright-core";
import { PAGE_TIMEOUT_MS } from "../obsidian-host/node/chromium.ts";

/** Options of a tab. */
export interface TabOptions {
  /** The clock is stopped; only `page.clock` advances it. */
  readonly stopped?: boolean;
  /** Allows the service worker, which stores the page for offline use. */
  readonly offline?: boolean;
}

/**
 * Records the text that this page alone has copied: all pages of a browser share the clipboard. A string,
 * because it runs in the page, whose globals have no types here.
 */
const KEEP_COPIED = `{
  const { clipboard } = navigator;
  const write = clipboard?.writeText.bind(clipboard);
  if (clipboard) clipboard.writeText = async (text) => {
    await write(text);
    window.copiedText = text;
  };
}`;

/** A tab with its own storage. */
export class Tab {
  readonly page: Page;
  /** Whether the errors of its page are reported. */
  isWatched = true;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
  }

  static async open(
    browser: Browser,
    { stopped = false, offline = false, mayCopy }: TabOptions & { readonly mayCopy: boolean },
    oncomplaint: (complaint: string) => void,
  ): Promise<Tab> {
    const context = await browser.newContext({
      acceptDownloads: true,
      permissions: mayCopy ? ["clipboard-read", "clipboard-write"] : [],
      // The service worker would fetch all files again in each tab.
      serviceWorkers: offline ? "allow" : "block",
    });
    context.setDefaultTimeout(PAGE_TIMEOUT_MS);
    await context.addInitScript(KEEP_COPIED);
    const tab = new Tab(context, await context.newPage());
    tab.#watch(oncomplaint);
    if (stopped) {
      await tab.page.clock.install({ time: 0 });
      // Later than any time that may pass before this call.
      await tab.page.clock.pauseAt(3_600_000);
    }
    return tab;
  }

  /** Leaves the page and clears all that it stored or opened. @returns whether the tab can be reused */
  async clear(rest: string): Promise<boolean> {
    const { page } = this;
    try {
      // Answered after every error of the page was reported.
      await page.evaluate("0");
      this.isWatched = false;
      for (const other of this.#context.pages()) if (other !== page) await other.close();
      await page.goto(rest);
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      return true;
    } catch {
      // The tab was closed, or hangs.
      return false;
    }
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #watch(oncomplaint: (complaint: string) => void): void {
    const { page } = this;
    const emit = (complaint: string): void => {
      if (this.isWatched) oncomplaint(complaint);
    };
    page.on("pageerror", ({ message }) => emit(`error: ${message}`));
    page.on("console", (message) => {
      if (message.type() === "error") emit(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (["http:", "https:", "ws:"].includes(protocol)) emit(`request to ${origin}`);
    });
  }
}
