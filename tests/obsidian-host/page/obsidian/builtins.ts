/** What Obsidian adds to the language's own objects. */
export function installBuiltins(): void {
  define(Array.prototype, {
    first(this: unknown[]) {
      return this[0];
    },
    last(this: unknown[]) {
      return this[this.length - 1];
    },
    contains(this: unknown[], target: unknown) {
      return this.includes(target);
    },
    remove(this: unknown[], target: unknown) {
      const at = this.indexOf(target);
      if (at >= 0) this.splice(at, 1);
    },
  });
  define(String.prototype, {
    contains(this: string, target: string) {
      return this.includes(target);
    },
    format(this: string, ...args: string[]) {
      return this.replace(/\{(\d+)\}/g, (whole, at: string) => args[Number(at)] ?? whole);
    },
  });
  define(Array, {});
  define(Object, {
    each: (value: object, emit: (each: unknown, key: string) => boolean | undefined) =>
      Object.entries(value).every(([key, each]) => emit(each, key) !== false),
  });
  define(String, {});
  define(Number, {});
  define(Math, {});
}

function define(target: object, methods: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
}
