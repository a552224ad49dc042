declare module "events" {
  export class EventEmitter {
    on(name: string, listener: (...args: never[]) => void): this;
    once(name: string, listener: (...args: never[]) => void): this;
    off(name: string, listener: (...args: never[]) => void): this;
    emit(name: string, ...args: unknown[]): boolean;
    removeAllListeners(name?: string): this;
    listenerCount(name: string): number;
    eventNames(): string[];
  }
  const events: Record<string, unknown>;

  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default events;
}
declare module "readable-stream" {
  import type { EventEmitter } from "events";

  interface DuplexOptions {
    readonly allowHalfOpen?: boolean;
    readonly autoDestroy?: boolean;
    readonly decodeStrings?: boolean;
  }
  export class Duplex extends EventEmitter {
    constructor(options?: DuplexOptions);
    destroyed: boolean;
    push(chunk: Uint8Array | null): boolean;
    destroy(error?: Error | null): this;
    end(...args: unknown[]): this;
    resume(): this;
  }
  export class Readable extends Duplex {}
  export class Writable extends Duplex {}
  const stream: Record<string, unknown>;

  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default stream;
}
declare module "path-browserify" {
  const path: Record<string, (...args: string[]) => string>;

  // biome-ignore lint/style/noDefaultExport: it is CommonJS
  export default path;
}
