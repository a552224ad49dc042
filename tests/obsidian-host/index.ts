import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { Agents } from "./agents.ts";
import { Commands, id, Settings } from "./controls.ts";
import { difference, type Holdings } from "./leaks.ts";
import { Menus } from "./menus.ts";
import type { DiskFault } from "./node/calls.ts";
import { type Kept, openSession, type Session, type SessionOptions } from "./node/session.ts";
import { createTestVault, installPlugin, type TestVault } from "./node/test-vault.ts";
import { Pointer } from "./pointer.ts";
import { settled } from "./settled.ts";
import type { StartOptions } from "./start-options.ts";
import type { Theme } from "./wire.ts";

export type { StartOptions } from "./start-options.ts";

export type { Theme } from "./wire.ts";

type Mode = "source" | "live" | "reading";
type Spot = readonly [line: number, ch: number];
type Where = "here" | "tab" | "split";

const shots = fileURLToPath(new URL(".shots", import.meta.url));

/** Starts the app with a vault and the built plugin in it; it ends with the test. */
export async function start(options: StartOptions = {}): Promise<ObsidianHost> {
  const host = createHost(options);
  onTestFinished(() => host.stop());
  await host.launch();
  return host;
}

/** The app with its vault, before its start; whoever creates it stops it. */
export function createHost(options: StartOptions): ObsidianHost {
  const testVault = createTestVault(options);
  const settings = { firstStepsShown: true, ...options.settings };
  installPlugin(testVault, options.firstStart === true ? undefined : settings);
  if (options.appConfig) testVault.write(".obsidian/app.json", JSON.stringify(options.appConfig));
  return new ObsidianHost(testVault, options);
}

/** The app, its vault, and everything that a scenario does to them. See README.md. */
export class ObsidianHost {
  readonly testVault: TestVault;
  readonly agents: Agents;
  readonly menus: Menus;
  readonly pointer: Pointer;
  readonly commands: Commands;
  readonly settings: Settings;
  /** How long the plugin took until the layout was ready, and in `onload`. */
  times = { readyMs: 0, evalMs: 0, onloadMs: 0 };
  /** Addresses that were opened outside of the app. */
  readonly opened: string[] = [];
  readonly #options: StartOptions;
  #session: Session | undefined;
  #kept: Kept | undefined;
  #before: Holdings = {};
  #excused = false;
  #isFirst = true;

  constructor(testVault: TestVault, options: StartOptions) {
    this.testVault = testVault;
    this.#options = options;
    this.agents = new Agents(testVault, options.env ?? {});
    this.menus = new Menus(this);
    this.pointer = new Pointer(this);
    this.commands = new Commands(this);
    this.settings = new Settings(this);
  }

  /** The vault's real path. */
  get vault(): string {
    return this.testVault.vault;
  }

  get home(): string {
    return this.testVault.home;
  }

  /** The main window. */
  get page(): Page {
    return this.#running.page;
  }

  /** The process id that the app reports. */
  get pid(): number {
    return this.#running.standIn.pid;
  }

  /** The disk faults in effect; tests add and remove entries. */
  get faults(): DiskFault[] {
    return this.#running.calls.faults;
  }

  get #running(): Session {
    if (this.#session === undefined) throw new Error("The app is not running");
    return this.#session;
  }

  /** Opens the window, the vault, and starts the plugin. */
  async launch(): Promise<void> {
    const { theme = "light", env = {}, enabled = true, faults = [] } = this.#options;
    const viewport = this.#options.viewport ?? { width: 1100, height: 720 };
    const { appVersion = "1.13.1" } = this.#options;
    const opened = (url: string) => void this.opened.push(url);
    const kept = this.#kept && { kept: this.#kept };
    const session: SessionOptions = {
      theme,
      env,
      viewport,
      faults,
      appVersion,
      ...kept,
      onOpened: opened,
    };
    this.#session = await openSession(this.testVault, session);
    await this.page.goto(this.#session.server.url);
    await this.drive("prepare");
    if (this.#isFirst && this.#options.open !== undefined) await this.open(this.#options.open);
    this.#isFirst = false;
    this.#before = await this.holdings();
    const ready = (await this.drive("launch", enabled ? [id] : [])) as { readyMs: number };
    const times = (await this.drive("times", id)) as
      | { evalMs: number; onloadMs: number }
      | undefined;
    this.times = { evalMs: 0, onloadMs: 0, ...times, ...ready };
  }

  /** Calls a method of the page's driver (`page/driver.ts`). */
  drive(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.page.evaluate(
      ([name, given]) => {
        const { host } = globalThis as unknown as {
          host: Record<string, (...args: unknown[]) => unknown>;
        };
        return host[name]?.(...given);
      },
      [method, args] as const,
    );
  }

  /** Writes a file of the vault from outside, as an agent does. */
  write(path: string, data: string | Uint8Array): string {
    return this.testVault.write(path, data);
  }

  /** Reads a file of the vault from the disk. */
  read(path: string): string {
    return readFileSync(join(this.vault, path), "utf8");
  }

  async open(path: string, options: { where?: Where; mode?: Mode } = {}): Promise<void> {
    await this.drive("open", path, options);
  }

  async switchMode(mode: Mode): Promise<void> {
    await this.drive("mode", mode);
  }

  /** Selects by the editor's API; `pointer` and `page.keyboard` do it as a person does. */
  async select(from: Spot, to: Spot = from): Promise<void> {
    await this.drive("select", from, to);
  }

  /** The text in the active editor, saved or not. */
  async text(): Promise<string> {
    return (await this.drive("text")) as string;
  }

  /** Makes the app save what was typed, as it does by itself after two seconds. */
  async save(): Promise<void> {
    await this.drive("saveAll");
  }

  /** Moves the active leaf to a window of its own, and gives that window. */
  async popout(): Promise<Page> {
    const opened = this.page.waitForEvent("popup");
    await this.drive("popout");
    return opened;
  }

  /** The window in which the active leaf is. */
  async activePage(): Promise<Page> {
    const index = (await this.drive("activeWindowIndex")) as number;
    const page = this.#running.context.pages()[index];
    if (page === undefined) throw new Error(`There is no window ${index}`);
    return page;
  }

  /** Calls one of the plugin's handlers for the app's own command line. */
  async cli(command: string, params: Readonly<Record<string, string>> = {}): Promise<string> {
    return (await this.drive("cli", command, params)) as string;
  }

  /** Opens `obsidian://<action>?…`. */
  async protocol(action: string, params: Readonly<Record<string, string>>): Promise<void> {
    await this.drive("protocol", action, params);
  }

  /** Every notice since the start. */
  async notices(): Promise<string[]> {
    return (await this.drive("notices")) as string[];
  }

  /** Waits for a notice, unless it was shown already. */
  async notice(pattern: RegExp): Promise<string> {
    const isWanted = (text: string) => pattern.test(text);
    const output = await settled(
      () => this.notices(),
      (texts) => texts.some(isWanted),
    );
    const wanted = output.find(isWanted);
    if (wanted !== undefined) return wanted;
    throw new Error(`no notice like ${pattern}; shown were ${JSON.stringify(output)}`);
  }

  async disable(): Promise<void> {
    await this.drive("disable", id);
  }

  async enable(): Promise<void> {
    await this.drive("enable", id);
  }

  /** Where the plugin listened and connected so far, and the origins of the page's requests. */
  traffic(): {
    readonly listened: readonly string[];
    readonly connected: readonly string[];
    readonly origins: readonly string[];
  } {
    const { server, requested } = this.#running;
    const { listened, connected } = server.net;
    const origins = requested
      .filter((url) => !/^(data|blob):/.test(url))
      .map((url) => new URL(url).origin.replace(/^ws/, "http"));
    return { listened, connected, origins: [...new Set(origins)] };
  }

  /** Everything that the page holds, and Node on its behalf; see `page/leaks.ts`. */
  async holdings(): Promise<Holdings> {
    const { calls, server } = this.#running;
    const { servers, sockets } = server.net.counts;
    const held = (await this.drive("holdings")) as Holdings;
    return { ...held, realServers: servers, realSockets: sockets, openFiles: calls.openFiles };
  }

  /** What is held now beyond what was held before the plugin started. */
  async left(): Promise<Record<string, unknown>> {
    return difference(this.#before, await this.holdings());
  }

  /** The resources still held: `{}` once the plugin is disabled. Polls, because the app awaits no close. */
  leaks(): Promise<Record<string, unknown>> {
    return settled(
      () => this.left(),
      (left) => Object.keys(left).length === 0,
    );
  }

  /**
   * The person closes the window: `quit` is emitted, then the process ends at once.
   * @returns the lock files that are still there when it has ended
   */
  async quit(): Promise<string[]> {
    await this.drive("saveLayout");
    const locks = this.agents.locks().map(({ path }) => path);
    this.#kept = await this.#session?.keep();
    const left = (await this.drive("quit", locks)) as string[];
    await this.#end();
    return left;
  }

  /** Kills the window and its process without notice; local data stays. */
  async crash(): Promise<void> {
    this.#kept = await this.#session?.keep();
    await this.#end();
  }

  /** Quits and starts again with what was open. */
  async restart(): Promise<void> {
    await this.quit();
    await this.launch();
  }

  async setTheme(theme: Theme): Promise<void> {
    await this.drive("theme", theme);
  }

  /** Writes a picture for a person to look at, in the folder `.shots`. */
  async screenshot(name: string, themes: readonly Theme[] = ["light", "dark"]): Promise<void> {
    for (const theme of themes) {
      await this.setTheme(theme);
      const path = join(process.env["IDEWIRE_SHOTS"] ?? shots, `${name}-${theme}.png`);
      mkdirSync(dirname(path), { recursive: true });
      await (await this.activePage()).screenshot({ path, animations: "disabled" });
    }
  }

  /** The errors thrown in the page; a test that does not read them fails at its end. */
  async errors(): Promise<string[]> {
    this.#excused = true;
    return this.#errors();
  }

  /**
   * Resets the app between two scenarios: agents leave, the screen is cleared, and the first note is open
   * again. The vault and the person's settings stay.
   * @throws Error with the page's errors
   */
  async tidy(): Promise<void> {
    await this.agents.close();
    const errors = (await this.drive("tidy")) as string[];
    await this.setTheme(this.#options.theme ?? "light");
    if (this.#options.open !== undefined) await this.open(this.#options.open);
    if (errors.length > 0) throw new Error(`In the page was thrown:\n${errors.join("\n")}`);
  }

  /** Ends the app, whatever state it is in. */
  async stop(): Promise<void> {
    let errors: string[] = [];
    try {
      if (this.#session !== undefined) errors = await this.#errors();
    } finally {
      await this.agents.close();
      await this.#end();
      await this.testVault.remove();
    }
    if (errors.length > 0 && !this.#excused) {
      throw new Error(`In the page was thrown:\n${errors.join("\n")}`);
    }
  }

  #errors(): Promise<string[]> {
    return this.page.evaluate(() => {
      return (globalThis as unknown as { host: { errors: string[] } }).host.errors;
    });
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }
}
