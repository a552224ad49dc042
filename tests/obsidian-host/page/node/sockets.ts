import type { Buffer } from "buffer";
import { Duplex } from "readable-stream";
import type { FromNode, WireAddress, WirePlace } from "../../wire.ts";
import { channel } from "../bridge/channel.ts";
import { toError } from "../bridge/encode.ts";

type Done = (error?: Error | null) => void;

/** The open sockets of the page; a disabled plugin leaves none. */
export const openSockets = new Set<Socket>();

/** The address given in the options of Node's `listen` and `connect`. */
export function placeOf(options: Readonly<Record<string, unknown>>): WirePlace {
  const { path, port, host } = options;
  if (typeof path === "string") return { path };
  return { port: Number(port ?? 0), host: host as string | undefined };
}

/** A Node socket whose bytes travel over the channel. */
export class Socket extends Duplex {
  readonly #id: number;
  readonly #writes: Done[] = [];
  #final: Done | undefined;
  #idle: number | undefined;
  #idleMs = 0;
  #closed = false;
  connecting = false;
  bytesRead = 0;
  bytesWritten = 0;
  remoteAddress: string | undefined;
  remotePort: number | undefined;
  remoteFamily: string | undefined;
  /** Sockets of http stay half open, as in Node. */
  constructor(id: number, remote?: WireAddress, allowHalfOpen = true) {
    super({ allowHalfOpen, autoDestroy: true, decodeStrings: true });
    this.#id = id;
    if (remote !== undefined) this.#setRemote(remote);
    openSockets.add(this);
    channel.attach(
      id,
      (message) => this.#onMessage(message),
      (bytes) => this.#receive(bytes),
    );
  }

  get readyState(): string {
    return this.destroyed ? "closed" : "open";
  }

  /** Starts to connect; `connect` or `error` follows. */
  dial(where: WirePlace): this {
    this.connecting = true;
    channel.send({ t: "connect", id: this.#id, where });
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return { address: "127.0.0.1", family: "IPv4", port: 0 };
  }

  setTimeout(ms: number, listener?: () => void): this {
    if (listener !== undefined) this.once("timeout", listener);
    this.#idleMs = ms;
    this.#touch();
    return this;
  }

  _read(): void {
    channel.send({ t: "resume", id: this.#id });
  }

  _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    this.#touch();
    this.bytesWritten += chunk.length;
    this.#writes.push(done);
    channel.sendBytes(this.#id, chunk);
  }

  _writev(chunks: readonly { readonly chunk: Uint8Array }[], done: Done): void {
    const whole = new Uint8Array(chunks.reduce((sum, { chunk }) => sum + chunk.length, 0));
    let at = 0;
    for (const { chunk } of chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this._write(whole, "", done);
  }

  _final(done: Done): void {
    if (this.#closed) {
      done();
      return;
    }
    this.#final = done;
    channel.send({ t: "end", id: this.#id });
    this.#finish();
  }

  _destroy(error: Error | null, done: Done): void {
    window.clearTimeout(this.#idle);
    openSockets.delete(this);
    if (!this.#closed) channel.send({ t: "destroy", id: this.#id });
    this.#failWrites();
    done(error);
  }

  #onMessage(message: FromNode): void {
    if (message.t === "wrote") this.#writes.shift()?.();
    else if (message.t === "ended") this.push(null);
    else if (message.t === "connected") {
      this.connecting = false;
      this.#setRemote(message.remote);
      this.emit("connect");
      this.emit("ready");
    } else if (message.t === "failed") this.destroy(toError(message.error));
    else if (message.t === "closed") {
      this.#closed = true;
      channel.detach(this.#id);
      if (!this.destroyed) this.push(null);
      queueMicrotask(() => this.destroy());
    }
  }

  #receive(bytes: Buffer): void {
    if (this.destroyed) return;
    this.#touch();
    this.bytesRead += bytes.length;
    if (!this.push(bytes)) channel.send({ t: "pause", id: this.#id });
  }

  #finish(): void {
    const done = this.#final;
    this.#final = undefined;
    done?.();
  }

  #failWrites(): void {
    const waiting = this.#writes.splice(0);
    const gone = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
    for (const done of waiting) queueMicrotask(() => done(gone));
  }

  #setRemote({ address, port, family }: WireAddress): void {
    this.remoteAddress = address;
    this.remotePort = port;
    this.remoteFamily = family;
  }

  #touch(): void {
    window.clearTimeout(this.#idle);
    if (this.#idleMs > 0) this.#idle = window.setTimeout(() => this.emit("timeout"), this.#idleMs);
  }
}
