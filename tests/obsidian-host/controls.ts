import type { Page } from "playwright-core";

/** The plugin's id. */
export const id = "idewire";

interface Driven {
  drive(method: string, ...args: readonly unknown[]): Promise<unknown>;
  read(path: string): string;
  readonly page: Page;
}

/** The plugin's commands, by their names without its prefix. */
export class Commands {
  readonly #app: Driven;

  constructor(app: Driven) {
    this.#app = app;
  }

  /** Every command of the app, with its prefix. */
  async list(): Promise<string[]> {
    return (await this.#app.drive("commands")) as string[];
  }

  /** @returns whether there is such a command, and it could run */
  async run(name: string): Promise<boolean> {
    return (await this.#app.drive("run", `${id}:${name}`)) as boolean;
  }

  async canRun(name: string): Promise<boolean> {
    return (await this.#app.drive("canRun", `${id}:${name}`)) as boolean;
  }

  /** Assigns a hotkey, as a person does; there are none by default. */
  async bind(name: string, modifiers: readonly string[], key: string): Promise<void> {
    await this.#app.drive("setHotkey", `${id}:${name}`, modifiers, key);
  }
}

/** The plugin's settings: the window, and what is stored. */
export class Settings {
  readonly #app: Driven;

  constructor(app: Driven) {
    this.#app = app;
  }

  /** @param page the page in the plugin's tab to open as well */
  async open(page?: string): Promise<void> {
    await this.#app.drive("openSettings", id);
    if (page !== undefined) await this.turn(page);
  }

  /** Leaves the open page, and opens another one. */
  async turn(page: string): Promise<void> {
    const back = this.#app.page.getByRole("button", { name: "Back", exact: true });
    if (await back.isVisible()) await back.click();
    const row = this.#app.page.locator(".setting-item.mod-clickable");
    await row.getByText(page, { exact: true }).click();
  }

  async close(): Promise<void> {
    await this.#app.drive("closeSettings");
  }

  /** What is in `data.json`. */
  stored(): unknown {
    return JSON.parse(this.#app.read(`.obsidian/plugins/${id}/data.json`));
  }
}
