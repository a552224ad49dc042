import { Emitter, type Unsubscribe } from "@idewire/core";
import { parseSettings, type Settings } from "./settings.ts";

/** Storage of the settings. */
export interface SettingsFile {
  loadData(): Promise<unknown>;
  saveData(data: unknown): Promise<void>;
}

interface SettingsEvents {
  change(now: Settings, before: Settings): void;
  /** The change could not be saved and applies only until the app closes. */
  unsaved(reason: Error): void;
}

/** The settings of this vault, saved whenever they change. */
export class SettingsStore {
  readonly #file: SettingsFile;
  readonly #events = new Emitter<SettingsEvents>();
  #now: Settings = parseSettings(undefined);

  constructor(file: SettingsFile) {
    this.#file = file;
  }

  get now(): Settings {
    return this.#now;
  }

  /** Loads the saved settings; also called after another device has changed them. */
  async load(): Promise<void> {
    this.#take(parseSettings(await this.#file.loadData()));
  }

  /** Applies at once. Never rejects: if saving fails, `unsaved` is emitted. */
  async change(changes: Partial<Settings>): Promise<void> {
    this.#take({ ...this.#now, ...changes });
    try {
      await this.#file.saveData(this.#now);
    } catch (error) {
      this.#events.emit("unsaved", error as Error);
    }
  }

  on<E extends keyof SettingsEvents>(event: E, listener: SettingsEvents[E]): Unsubscribe {
    return this.#events.on(event, listener);
  }

  #take(settings: Settings): void {
    const before = this.#now;
    this.#now = settings;
    this.#events.emit("change", settings, before);
  }
}
