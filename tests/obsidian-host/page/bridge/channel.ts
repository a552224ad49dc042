import { Buffer } from "buffer";
import type { Answer, Boot, Call, FromNode, FromPage } from "../../wire.ts";
import { encode, unwrap } from "./encode.ts";

declare global {
  interface Window {
    hostBoot: Boot;
  }
}

export const boot: Boot = window.hostBoot;

type Listener = (message: FromNode) => void;

/** The only connection from this page to its Node side. */
class Channel {
  readonly #socket: WebSocket;
  readonly #calls = new Map<number, (answer: Answer) => void>();
  readonly #listeners = new Map<number, Listener>();
  readonly #bytes = new Map<number, (bytes: Buffer) => void>();
  /** Messages of this turn, sent in one frame: a frame costs more than the text of a file. */
  #gathered: FromPage[] = [];
  /** The listeners for changes in the vault. */
  onVault: (paths: readonly string[]) => void = () => {};
  #lastId = 1;
  readonly #open: Promise<void>;

  constructor() {
    this.#socket = new WebSocket(`ws://${location.host}/control`);
    this.#socket.binaryType = "arraybuffer";
    this.#open = new Promise((resolve) => {
      this.#socket.onopen = () => resolve();
    });
    this.#socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === "string") {
        for (const message of JSON.parse(data) as FromNode[]) this.#receive(message);
      } else {
        const frame = Buffer.from(data);
        this.#bytes.get(frame.readUInt32BE(0))?.(Buffer.from(data, 4));
      }
    };
  }

  /** Sockets of the page have odd ids; everything else takes its ids from the same sequence. */
  nextId(): number {
    this.#lastId += 2;
    return this.#lastId;
  }

  ready(): Promise<void> {
    return this.#open;
  }

  send(message: FromPage): void {
    if (this.#gathered.push(message) === 1) queueMicrotask(() => this.#flush());
  }

  sendBytes(id: number, bytes: Uint8Array): void {
    this.#flush();
    const frame = new Uint8Array(4 + bytes.length);
    new DataView(frame.buffer).setUint32(0, id);
    frame.set(bytes, 4);
    this.#socket.send(frame);
  }

  /** Registers the listener for messages about a server, a socket or an exchange. */
  attach(id: number, listener: Listener, bytes?: (bytes: Buffer) => void): void {
    this.#listeners.set(id, listener);
    if (bytes !== undefined) this.#bytes.set(id, bytes);
  }

  detach(id: number): void {
    this.#listeners.delete(id);
    this.#bytes.delete(id);
  }

  async call(op: Call["op"], name: string, ...args: unknown[]): Promise<unknown> {
    const id = this.nextId();
    await this.#open;
    this.send({ t: "call", id, call: { op, name, args: args.map(encode) } });
    return unwrap(await new Promise<Answer>((resolve) => this.#calls.set(id, resolve)));
  }

  /** Blocks the page until Node has answered, as a synchronous call in Electron does. */
  callSync(op: Call["op"], name: string, ...args: unknown[]): unknown {
    const request = new XMLHttpRequest();
    request.open("POST", "/call", false);
    request.send(JSON.stringify({ op, name, args: args.map(encode) } satisfies Call));
    return unwrap(JSON.parse(request.responseText) as Answer);
  }

  #flush(): void {
    const messages = this.#gathered;
    this.#gathered = [];
    if (messages.length === 0 || this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify(messages));
  }

  #receive(message: FromNode): void {
    if (message.t === "answer") {
      this.#calls.get(message.id)?.(message.answer);
      this.#calls.delete(message.id);
    } else if (message.t === "vault") this.onVault(message.paths);
    else this.#listeners.get(message.id)?.(message);
  }
}

export const channel: Channel = new Channel();
