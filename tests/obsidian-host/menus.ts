import type { Locator, Page } from "playwright-core";

interface Windows {
  readonly page: Page;
  activePage(): Promise<Page>;
  drive(method: string, ...args: readonly unknown[]): Promise<unknown>;
}

/** Context menus, opened by the right mouse button where a person opens them. */
export class Menus {
  readonly #windows: Windows;
  #shown: Page | undefined;

  constructor(windows: Windows) {
    this.#windows = windows;
  }

  /** Opens the editor's menu at its cursor, and gives the titles in it. */
  async editor(): Promise<string[]> {
    const page = await this.#windows.activePage();
    const cursor = page.locator(".workspace-leaf.mod-active .cm-content");
    return this.#open(page, cursor);
  }

  /** Opens the menu of a file or folder in the file explorer. */
  async file(path: string): Promise<string[]> {
    return this.#open(this.#windows.page, this.#row(path));
  }

  /** Selects several in the file explorer, and opens their menu. */
  async files(paths: readonly string[]): Promise<string[]> {
    for (const path of paths) await this.#row(path).click({ modifiers: ["Control"] });
    return this.#open(this.#windows.page, this.#row(paths.at(-1) ?? ""));
  }

  /** Opens the menu of a tab by its title. */
  async tab(title: string): Promise<string[]> {
    const tab = this.#windows.page.getByRole("tab", { name: title, exact: true });
    return this.#open(this.#windows.page, tab.first());
  }

  async choose(title: string): Promise<void> {
    const page = this.#shown ?? this.#windows.page;
    await page.locator(".menu .menu-item", { hasText: title }).first().click();
  }

  #row(path: string): Locator {
    return this.#windows.page.locator(`.nav-files-container [data-path=${JSON.stringify(path)}]`);
  }

  async #open(page: Page, target: Locator): Promise<string[]> {
    this.#shown = page;
    await target.click({ button: "right" });
    await page.locator(".menu .menu-item").first().waitFor();
    return page.locator(".menu .menu-item-title").allTextContents();
  }
}
