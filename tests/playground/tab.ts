import type { Browser, BrowserContext, Page } from "playwright-core";

/** What a tab can do. */
export interface TabOptions {
  /** Time stands in it, and passes by `page.clock` alone. */
  readonly stopped?: boolean;
  /** Its page may keep itself for when there is no network. */
  readonly offline?: boolean;
}

/** For what hangs, not for what is slow. */
export const TIMEOUT_MS = 90_000;

/**
 * Tells what this page alone has put on the clipboard, which all pages of a browser share. As a text:
 * these tests do not know a page's globals.
 */
const KEEP_COPIED = `{
  const { clipboard } = navigator;
  const write = clipboard?.writeText.bind(clipboard);
  if (clipboard) clipboard.writeText = async (text) => {
    await write(text);
    window.copiedText = text;
  };
}`;

/** One tab with a storage of its own. */
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
      // It fetches all files again, for each tab.
      serviceWorkers: offline ? "allow" : "block",
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    await context.addInitScript(KEEP_COPIED);
    const tab = new Tab(context, await context.newPage());
    tab.#watch(oncomplaint);
    if (stopped) {
      await tab.page.clock.install({ time: 0 });
      // Ahead of whatever passes until then.
      await tab.page.clock.pauseAt(3_600_000);
    }
    return tab;
  }

  /** Leaves the page and whatever it kept or opened. @returns whether nothing is left of it */
  async clear(rest: string): Promise<boolean> {
    const { page } = this;
    try {
      // Answered after all that the page has complained of.
      await page.evaluate("0");
      this.isWatched = false;
      for (const other of this.#context.pages()) if (other !== page) await other.close();
      await page.goto(rest);
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      return true;
    } catch {
      // It was closed, or hangs.
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
