import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { IconNode } from "lucide";

/** An action of the person, which buttons, keys, the palette and the list of keys render. */
export interface Command {
  /** Unique on the page, such as `trace.saveHar`. */
  readonly id: string;
  readonly title: string;
  readonly icon?: IconNode;
  /** As `keyOf` names them, such as `/`, `Space` or `Ctrl+K`; the first is shown. */
  readonly keys?: readonly string[];
  /** Whether it can run now; always if absent. */
  readonly when?: () => boolean;
  /** Whether it asks idewire, if the page is not a simulation: then it cannot run while the connection is lost. */
  readonly needsConnection?: boolean;
  readonly run: () => void;
  /** Of a choice among several: whether it is the chosen one. */
  readonly checked?: () => boolean;
}

/** The commands of the page: those that always exist, and those of the controls that are shown. */
export class CommandRegistry {
  readonly #groups = new Map<string, readonly Command[]>();
  readonly #version: Signal<number> = signal(0);
  readonly #isConnected: () => boolean;

  /** @param isConnected whether commands that need a connection can run */
  constructor(isConnected: () => boolean) {
    this.#isConnected = isConnected;
  }

  /** Registers the commands of an owner, replacing its earlier ones. */
  set(owner: string, commands: readonly Command[]): void {
    const before = this.#groups.get(owner) ?? [];
    this.#groups.set(owner, commands);
    if (!looksSame(before, commands)) this.#change();
  }

  delete(owner: string): void {
    const before = this.#groups.get(owner) ?? [];
    this.#groups.delete(owner);
    if (before.length > 0) this.#change();
  }

  /** Changes when a list of the commands has to be rendered again. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  /** All commands, also those that cannot run now. */
  get all(): readonly Command[] {
    return [...this.#groups.values()].flat();
  }

  /** Whether a command can run now. */
  canRun({ when, needsConnection }: Command): boolean {
    return (when?.() ?? true) && (needsConnection !== true || this.#isConnected());
  }

  /** The command of a key, if it can run now. */
  findByKey(key: string): Command | undefined {
    return this.all.find((command) => command.keys?.includes(key) && this.canRun(command));
  }

  #change(): void {
    // Not read as a signal, so that an effect which registers commands does not depend on them.
    this.#version.value = this.#version.peek() + 1;
  }
}

/**
 * Whether a list shows two groups alike. Controls register their commands at each render: if that were a change, a
 * list that contains such controls would render itself endlessly.
 */
function looksSame(one: readonly Command[], other: readonly Command[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, title, keys = [] }, index) => {
      const { id: otherId, title: otherTitle, keys: otherKeys = [] } = other[index] ?? {};
      return id === otherId && title === otherTitle && keys.join(" ") === otherKeys.join(" ");
    })
  );
}
