import type { Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import { isObject } from "@idewire/core/internal";
import { parseSettings, type Settings } from "./settings.ts";

/** Storage of the settings. */
export interface SettingsFile {
  loadData(): Promise<unknown>;
  saveData(data: unknown): Promise<void>;
  /** Copies the unreadable settings to another file; returns its path, undefined if there were none. */
  keepAside(): Promise<string | undefined>;
}

interface SettingsEvents {
  change(now: Settings, before: Settings): void;
  /** The change could not be saved and applies only until the app closes. */
  unsaved(reason: Error): void;
  /** The saved settings cannot be read; they were copied to this file, unless that failed. */
  unreadable(kept: string | undefined): void;
}

/** The settings of this vault, saved whenever they change. */
export class SettingsStore {
  readonly #file: SettingsFile;
  readonly #events = new Emitter<SettingsEvents>();
  #now: Settings = parseSettings(undefined);
  /** Whether the saved settings are unreadable and could not be copied: saving would destroy them. */
  #isAtRisk = false;

  constructor(file: SettingsFile) {
    this.#file = file;
  }

  get now(): Settings {
    return this.#now;
  }

  /**
   * Loads the saved settings; also called after another device has changed them. Never rejects: if they
   * cannot be read, nothing is shared and `unreadable` is emitted.
   */
  async load(): Promise<void> {
    const data = await this.#file.loadData().catch(() => undefined);
    this.#isAtRisk = false;
    if (isObject(data)) return this.#take(parseSettings(data));
    // Obsidian gives null both if there is no file and if it cannot be parsed.
    try {
      const kept = await this.#file.keepAside();
      if (kept === undefined) this.#take(parseSettings(undefined));
      else this.#takeUnreadable(kept);
    } catch {
      this.#isAtRisk = true;
      this.#takeUnreadable(undefined);
    }
  }

  /** Applies at once. Never rejects: if saving fails, `unsaved` is emitted. */
  async change(changes: Partial<Settings>): Promise<void> {
    this.#take({ ...this.#now, ...changes });
    try {
      if (this.#isAtRisk) await this.#file.keepAside();
      this.#isAtRisk = false;
      await this.#file.saveData(this.#now);
    } catch (error) {
      this.#events.emit("unsaved", error as Error);
    }
  }

  on<E extends keyof SettingsEvents>(event: E, listener: SettingsEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /** Known exclusions are kept; the first steps would save immediately. */
  #takeUnreadable(kept: string | undefined): void {
    this.#take({ ...this.#now, share: "off", firstStepsShown: true });
    this.#events.emit("unreadable", kept);
  }

  #take(settings: Settings): void {
    const before = this.#now;
    this.#now = settings;
    this.#events.emit("change", settings, before);
  }
}
