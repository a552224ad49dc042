type Modifier = "Mod" | "Ctrl" | "Meta" | "Shift" | "Alt";
type Listener = (event: KeyboardEvent, context: KeyContext) => unknown;

interface KeyContext {
  readonly modifiers: string;
  readonly key: string;
  readonly vkey: string;
}

export interface KeyHandler {
  readonly scope: Scope;
  readonly modifiers: string | null;
  readonly key: string | null;
  readonly func: Listener;
}

export class Scope {
  readonly parent: Scope | undefined;
  readonly #handlers: KeyHandler[] = [];

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  register(modifiers: Modifier[] | null, key: string | null, func: Listener): KeyHandler {
    const handler = { scope: this, modifiers: modifiers && spell(modifiers), key, func };
    this.#handlers.push(handler);
    return handler;
  }

  /** @returns whether a handler consumed the key */
  handle(event: KeyboardEvent): boolean {
    const modifiers = modifiersOf(event);
    const context = { modifiers, key: event.key, vkey: event.key };
    for (const handler of this.#handlers) {
      if (handler.modifiers !== null && handler.modifiers !== modifiers) continue;
      if (handler.key !== null && handler.key.toLowerCase() !== event.key.toLowerCase()) continue;
      if (handler.func(event, context) === false) {
        event.preventDefault();
        event.stopPropagation();
      }
      return true;
    }
    return this.parent?.handle(event) ?? false;
  }
}

/** Ctrl stands for Mod: the host is a Linux desktop. */
function spell(modifiers: readonly Modifier[]): string {
  return [...new Set(modifiers.map((each) => (each === "Mod" ? "Ctrl" : each)))].sort().join(",");
}

function modifiersOf(event: KeyboardEvent): string {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  const held = { Ctrl: ctrlKey, Meta: metaKey, Shift: shiftKey, Alt: altKey };
  return Object.entries(held)
    .filter(([, isHeld]) => isHeld)
    .map(([name]) => name)
    .sort()
    .join(",");
}

export interface Hotkey {
  readonly modifiers: readonly Modifier[];
  readonly key: string;
}

export function matches(hotkey: Hotkey, event: KeyboardEvent): boolean {
  return (
    spell(hotkey.modifiers) === modifiersOf(event) &&
    hotkey.key.toLowerCase() === event.key.toLowerCase()
  );
}

export class Keymap {
  readonly #scopes: Scope[] = [];

  pushScope(scope: Scope): void {
    this.#scopes.push(scope);
  }

  popScope(scope: Scope): void {
    const at = this.#scopes.lastIndexOf(scope);
    if (at >= 0) this.#scopes.splice(at, 1);
  }

  get top(): Scope | undefined {
    return this.#scopes.at(-1);
  }

  static isModEvent(
    event?: MouseEvent | KeyboardEvent | null,
  ): "tab" | "split" | "window" | boolean {
    if (!event?.ctrlKey) return event instanceof MouseEvent && event.button === 1 ? "tab" : false;
    if (event.altKey) return event.shiftKey ? "window" : "split";
    return "tab";
  }
}
