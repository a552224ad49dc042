import { Emitter, type Unsubscribe } from "@idewire/core";
import { parseSettings, type Settings } from "./settings.ts";

/** Where settings are kept between two runs. */
export interface SettingsFile {
  loadData(): Promise<unknown>;
  saveData(data: unknown): Promise<void>;
}

interface SettingsEvents {
  change(now: Settings, before: Settings): void;
  /** What was changed holds until the app ends, and no longer. */
  unsaved(reason: Error): void;
}

/** The settings of this vault: read at once, saved when they change. */
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

  /** Reads what was saved; also after another machine has changed it. */
  async load(): Promise<void> {
    this.#take(parseSettings(await this.#file.loadData()));
  }

  /** Counts at once; never rejects, since a choice holds also where it cannot be saved. */
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
