import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type ObsidianHost, type StartOptions, start } from "../obsidian-host/index.ts";
import { shared } from "../obsidian-host/shared.ts";
import type { ClaudeClient } from "../src/reference-clients/claude-client.ts";
import type { PendingEdit } from "../src/reference-clients/claude-edit.ts";

/** The app, an agent connected to it, and a person who reviews. */
export interface ReviewFixture {
  readonly host: ObsidianHost;
  readonly agent: ClaudeClient;
  /** The agent proposes a text for a vault path or an absolute path. */
  readonly propose: (path: string, text: string) => Promise<PendingEdit>;
  readonly person: Reviewer;
}

export async function openFixture(options: StartOptions): Promise<ReviewFixture> {
  return enter(await start(options));
}

/** One app for the following scenarios of a file, each with its own agent; see `shared`. */
export function sharedFixture(options: StartOptions): () => Promise<ReviewFixture> {
  const app = shared(options);
  return () => enter(app());
}

async function enter(host: ObsidianHost): Promise<ReviewFixture> {
  const agent = await host.agents.connect();
  const person = new Reviewer(host.page);
  const propose = async (path: string, text: string) => {
    // The tab of the previous review may still be closing.
    await person.untilClosed();
    const edit = agent.edit(path.startsWith("/") ? path : join(host.vault, path), text);
    await person.page.waitForSelector(".idewire-review .cm-editor");
    return edit;
  };
  return { host, agent, propose, person };
}

/** What a person sees and does in the tab of a review. */
export class Reviewer {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The name of the file under review. */
  name(): Promise<string> {
    return this.#text(".idewire-review-name");
  }

  /** Waits for exactly these badges of the proposal. */
  async untilBadges(...texts: readonly string[]): Promise<void> {
    await expect.poll(() => this.page.locator(".idewire-badge").allInnerTexts()).toEqual(texts);
  }

  async untilBanners(...texts: readonly string[]): Promise<void> {
    const banners = this.page.locator(".idewire-banner-text");
    await expect.poll(() => banners.allInnerTexts()).toEqual(texts);
  }

  /** Waits until the tab shows this number of remaining changes, in words. */
  async untilStatus(text: string): Promise<void> {
    await expect.poll(() => this.#text(".idewire-review-changes > span")).toBe(text);
  }

  /** Waits until the review accepts clicks. */
  async untilArmed(): Promise<void> {
    await this.#untilEnabled("Reject file");
  }

  /** Waits until the review has the keyboard focus. */
  async untilFocused(): Promise<void> {
    await this.page.waitForFunction("document.activeElement?.closest('.idewire-review') != null");
  }

  async untilName(name: string): Promise<void> {
    await this.page.locator(".idewire-review-name", { hasText: name }).waitFor();
  }

  /** Presses a button of the tab, of a change or of a banner, by its text. */
  async press(text: string, nth = 0): Promise<void> {
    await this.#untilEnabled(text, nth);
    const button = this.page.locator(".idewire-review button:enabled", { hasText: text });
    await button.nth(nth).click();
  }

  /** Decides one of the remaining changes, by its button. */
  async decide(decision: "accept" | "reject", nth = 0): Promise<void> {
    await this.page.locator(`.idewire-change-controls .idewire-${decision}`).nth(nth).click();
  }

  /** Types at the end of a line of the proposed text. */
  async typeAfter(line: string, text: string): Promise<void> {
    await this.page.locator(".idewire-review .cm-merge-b .cm-line", { hasText: line }).click();
    await this.page.keyboard.press("End");
    await this.page.keyboard.insertText(text);
  }

  async untilClosed(): Promise<void> {
    await this.page.locator(".idewire-review").waitFor({ state: "detached" });
  }

  /** Polls on every frame: a locator polls only twice a second, and each of these takes just a moment. */
  async #untilEnabled(text: string, nth = 0): Promise<void> {
    const isWanted = `button.textContent.includes(${JSON.stringify(text)})`;
    const buttons = `[...document.querySelectorAll(".idewire-review button:enabled")]`;
    await this.page.waitForFunction(`${buttons}.filter((button) => ${isWanted}).length > ${nth}`);
  }

  async #text(selector: string): Promise<string> {
    return (await this.page.locator(selector).textContent()) ?? "";
  }

  /** Closes the tab of the review, as a person does with the mouse. */
  async closeTab(): Promise<void> {
    const tab = this.page.locator(".workspace-tab-header", { hasText: "Review" });
    await tab.locator(".workspace-tab-header-inner-close-button").click();
  }
}
