// The only globals beyond ES2022 that core may use. Browsers, Node and Electron have them;
// tests/packaging runs core in a context with exactly these.

/** Opaque: a number in browsers, an object in Node. */
interface TimerHandle {
  readonly __timer: unique symbol;
}
declare function setTimeout(callback: () => void, delayMs?: number): TimerHandle;
declare function clearTimeout(handle: TimerHandle | undefined): void;
declare const console: { error(...data: unknown[]): void };
declare function queueMicrotask(callback: () => void): void;

interface Event {
  readonly type: string;
}
declare const Event: { new (type: string): Event };

interface EventTarget {
  addEventListener(
    type: string,
    listener: (event: Event) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: string, listener: (event: Event) => void): void;
  dispatchEvent(event: Event): boolean;
}
declare const EventTarget: { new (): EventTarget };

interface AbortSignal extends EventTarget {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}
declare const AbortSignal: { readonly prototype: AbortSignal };

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, target: Uint8Array): { read: number; written: number };
}
declare const TextEncoder: { new (): TextEncoder };

interface TextDecoder {
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}
declare const TextDecoder: {
  new (label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

declare const performance: { now(): number };

interface URL {
  readonly href: string;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly origin: string;
}
declare const URL: { new (url: string, base?: string | URL): URL };

declare function btoa(bytes: string): string;
declare function atob(base64: string): string;

interface CryptoKey {
  readonly algorithm: { readonly name: string };
}
interface AesGcmParams {
  readonly name: "AES-GCM";
  readonly iv: Uint8Array;
  readonly additionalData: Uint8Array;
}
interface SubtleCrypto {
  digest(algorithm: "SHA-256", bytes: Uint8Array): Promise<ArrayBuffer>;
  importKey(
    format: "raw",
    bytes: Uint8Array,
    algorithm: "AES-GCM",
    extractable: boolean,
    usages: readonly ("encrypt" | "decrypt")[],
  ): Promise<CryptoKey>;
  encrypt(how: AesGcmParams, key: CryptoKey, plain: Uint8Array): Promise<ArrayBuffer>;
  decrypt(how: AesGcmParams, key: CryptoKey, sealed: Uint8Array): Promise<ArrayBuffer>;
}
declare const crypto: {
  readonly subtle: SubtleCrypto;
  getRandomValues<Bytes extends Uint8Array>(bytes: Bytes): Bytes;
};
