/** An action of the person, which buttons, keys, the palette and the list of keys render. */
export interface Command {
  /** Unique on the page, such as `trace.saveHar`. */
  readonly id: string;
  readonly title: string;
  /** As printed, such as `/`, `Space` or `Ctrl+K`; the first is shown. */
  readonly keys?: readonly string[];
  /** Whether it can run now; always if absent. */
  readonly when?: () => boolean;
  readonly run: () => void;
}

/** The commands of the page: those that always exist, and those of the controls that are shown. */
export class CommandRegistry {
  readonly #groups = new Map<string, readonly Command[]>();

  /** Registers the commands of an owner, replacing its earlier ones. */
  set(owner: string, commands: readonly Command[]): void {
    this.#groups.set(owner, commands);
  }

  delete(owner: string): void {
    this.#groups.delete(owner);
  }

  /** All commands, also those that cannot run now. */
  get all(): readonly Command[] {
    return [...this.#groups.values()].flat();
  }

  /** The command of a key, if it can run now. */
  findByKey(key: string): Command | undefined {
    return this.all.find((command) => command.keys?.includes(key) && canRun(command));
  }
}

/** Whether a command can run now. */
export function canRun({ when }: Command): boolean {
  return when?.() ?? true;
}
