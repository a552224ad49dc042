/** An invalid file; the message has the path of the field, the expected type and the value. */
export class DamagedField extends Error {}

type JsonObject = Readonly<Record<string, unknown>>;

/** Shared, since most objects have no unknown fields: takes a third of the memory. */
const nothing: JsonObject = Object.freeze({});

/** Reads the fields of one JSON object; `rest` returns those never read. */
export class Fields {
  readonly #object: JsonObject;
  readonly #path: string;
  readonly #taken: string[] = [];

  /** @param path of the object in the file, for messages: `comments[2]` */
  constructor(value: unknown, path: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new DamagedField(`${path || "the file"}: expected an object, got ${describe(value)}`);
    }
    this.#object = value as JsonObject;
    this.#path = path;
  }

  /** Takes the value of the first key that is present. */
  text(...keys: readonly string[]): string | undefined {
    return this.#typed("string", keys) as string | undefined;
  }

  number(...keys: readonly string[]): number | undefined {
    return this.#typed("number", keys) as number | undefined;
  }

  boolean(...keys: readonly string[]): boolean | undefined {
    return this.#typed("boolean", keys) as boolean | undefined;
  }

  /** A line number: an integer of 1 or more. */
  line(...keys: readonly string[]): number | undefined {
    const value = this.number(...keys);
    if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return value;
    throw this.damage(keys[0] ?? "", "a line number of 1 or more", value);
  }

  list(key: string): readonly unknown[] | undefined {
    const value = this.take(key);
    if (value === undefined || Array.isArray(value)) return value;
    throw this.damage(key, "an array", value);
  }

  /** Takes a value of any type; null counts as absent. */
  take(key: string): unknown {
    this.#taken.push(key);
    return this.peek(key);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  /** Returns the value without taking it. */
  peek(key: string): unknown {
    return this.has(key) ? (this.#object[key] ?? undefined) : undefined;
  }

  required<T>(value: T | undefined, key: string, expected: string): T {
    if (value === undefined) throw this.damage(key, expected, undefined);
    return value;
  }

  /** The fields that were not taken. */
  rest(): JsonObject {
    const left = Object.keys(this.#object).filter((key) => !this.#taken.includes(key));
    if (left.length === 0) return nothing;
    return Object.fromEntries(left.map((key) => [key, this.#object[key]]));
  }

  damage(key: string, expected: string, value: unknown): DamagedField {
    const path = this.#path === "" ? key : `${this.#path}.${key}`;
    return new DamagedField(`${path}: expected ${expected}, got ${describe(value)}`);
  }

  #typed(type: "string" | "number" | "boolean", keys: readonly string[]): unknown {
    let found: unknown;
    for (const key of keys) {
      const value = this.take(key);
      if (value === undefined || found !== undefined) continue;
      if (typeof value !== type) throw this.damage(key, `a ${type}`, value);
      found = value;
    }
    return found;
  }
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return JSON.stringify(value).slice(0, 60);
}
