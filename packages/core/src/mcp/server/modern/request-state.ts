import { IdewireError } from "../../../errors.ts";
import { isObject } from "../../../rpc/message.ts";
import { fromBase64Url, toBase64Url } from "../../../text/base64.ts";
import { invalidParams } from "../../refusals.ts";

const IV_BYTES = 12;
const KEY_BYTES = 32;

/** Derived from a function that returns it: not every platform's types declare it. */
type SealKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** How the state that is sent through the client is sealed. */
export interface SealOptions {
  /**
   * Keys of 32 random bytes: the first seals, all of them open, so that keys can be rotated. By default a random
   * one, which lasts as long as the process and is unknown to other instances.
   */
  readonly keys?: readonly Uint8Array[];
  /** How long a client may take to answer, in milliseconds; 600,000 by default. */
  readonly ttlMs?: number;
  /** The time in milliseconds since 1970; that of the system by default. */
  readonly now?: () => number;
}

/**
 * Seals the state that a client returns with the retry of a request (MCP 2026-07-28, Basic / Patterns, MRTR): by
 * AES-GCM, bound to the request, so that a client can neither read nor change it, nor use it for another request
 * or as another principal. Until it expires it may be returned more than once.
 */
export class RequestStateSeal {
  /** Created on first use: hosts such as Workers provide no random values while a module is loaded. */
  #keys: readonly Promise<SealKey>[] | undefined;
  readonly #bytes: readonly Uint8Array[] | undefined;
  readonly #ttlMs: number;
  readonly #now: () => number;

  /** @throws IdewireError `invalid-argument` for no keys, or one of another length */
  constructor({ keys, ttlMs = 600_000, now = Date.now }: SealOptions) {
    if (keys !== undefined) refuseKeys(keys);
    this.#bytes = keys;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** @param binding identifies the request: the state can be opened only with the same value */
  async seal(state: unknown, binding: unknown): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const how = { name: "AES-GCM", iv, additionalData: encode(canonical(binding)) } as const;
    const plain = encode({ expiresMs: this.#now() + this.#ttlMs, state });
    const [key] = this.#importKeys() as readonly [Promise<SealKey>];
    const sealed = new Uint8Array(await crypto.subtle.encrypt(how, await key, plain));
    const whole = new Uint8Array(IV_BYTES + sealed.length);
    whole.set(iv);
    whole.set(sealed, IV_BYTES);
    return toBase64Url(whole);
  }

  /** @throws RpcError -32602 for a text that was not sealed for this request, or too long ago */
  async open(sealed: unknown, binding: unknown): Promise<unknown> {
    const whole = typeof sealed === "string" ? fromBase64Url(sealed) : undefined;
    const additionalData = encode(canonical(binding));
    for (const key of whole === undefined ? [] : this.#importKeys()) {
      const opened = await decrypt(await key, whole as Uint8Array<ArrayBuffer>, additionalData);
      if (isObject(opened)) return this.#unexpired(opened);
    }
    throw invalidParams("requestState: it was not issued for this request: send it without");
  }

  #importKeys(): readonly Promise<SealKey>[] {
    if (this.#keys !== undefined) return this.#keys;
    // The type of a buffer has no parameter in TypeScript before 5.7, which reads our declarations.
    const bytes = (this.#bytes ?? [
      crypto.getRandomValues(new Uint8Array(KEY_BYTES)),
    ]) as Uint8Array<ArrayBuffer>[];
    this.#keys = bytes.map((each) =>
      crypto.subtle.importKey("raw", each, "AES-GCM", false, ["encrypt", "decrypt"]),
    );
    // An unusable key is reported when it is used.
    for (const key of this.#keys) key.catch(() => undefined);
    return this.#keys;
  }

  #unexpired({ expiresMs, state }: Readonly<Record<string, unknown>>): unknown {
    const lateMs = this.#now() - (expiresMs as number);
    if (lateMs <= 0) return state;
    throw invalidParams(`requestState: expired ${lateMs} ms ago: send the request without`);
  }
}

function refuseKeys(keys: readonly Uint8Array[]): void {
  const words = (fault: string) => `stateKeys: expected keys of ${KEY_BYTES} bytes, ${fault}`;
  if (keys.length === 0) throw new IdewireError("invalid-argument", words("got none"));
  for (const [at, { length }] of keys.entries()) {
    if (length === KEY_BYTES) continue;
    throw new IdewireError("invalid-argument", words(`got ${length} bytes in key ${at + 1}`));
  }
}

async function decrypt(
  key: SealKey,
  whole: Uint8Array<ArrayBuffer>,
  additionalData: Uint8Array<ArrayBuffer>,
): Promise<unknown> {
  const how = { name: "AES-GCM", iv: whole.slice(0, IV_BYTES), additionalData } as const;
  try {
    const plain = await crypto.subtle.decrypt(how, key, whole.slice(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    // Sealed with another key, for another request, or not sealed at all.
    return undefined;
  }
}

function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The same value with the members of objects in a canonical order: a client may reorder them. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return members.map(([name, member]) => [name, canonical(member)]);
}
