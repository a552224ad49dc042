import type { Readable, Writable } from "node:stream";
import { clearTimeout, setTimeout } from "node:timers";
import { CloseCode, type CloseReason, type Transport } from "@idewire/core/rpc";
import type { ChildCommand } from "../command/child-command.ts";
import { MessageSplitter } from "./message-splitter.ts";

export interface LspTransportOptions {
  /** A longer message closes. */
  readonly maxMessageBytes: number;
}

/** If a server sends more than this in a window, reading continues in the next one. */
const WINDOW_MS = 100;
const WINDOW_MESSAGES = 200;
const WINDOW_BYTES = 2 * 1024 * 1024;

/** How long a server may take to exit: stopping the command waits no longer. */
const TIMEOUT = { endMs: 300, terminateMs: 200 };

/** LSP's base protocol over the stdin and stdout of a command, which the transport owns. */
class LspTransport implements Transport {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly #child: ChildCommand;
  readonly #input: Writable;
  readonly #messages: MessageSplitter;
  #outbox = "";
  #isClosing = false;
  #messagesInWindow = 0;
  #bytesInWindow = 0;
  #window: ReturnType<typeof setTimeout> | undefined;

  constructor(child: ChildCommand, input: Writable, { maxMessageBytes }: LspTransportOptions) {
    this.#child = child;
    this.#input = input;
    this.#messages = new MessageSplitter(maxMessageBytes, {
      message: (text) => this.#receive(text),
      broken: (why) => this.close(CloseCode.InvalidPayload, `its output has ${why}`),
    });
    child.output.on("data", (chunk: Buffer) => this.#read(chunk, child.output));
    input.on("error", () => this.close(CloseCode.Abnormal, "it stopped reading"));
    input.on("drain", () => this.ondrain?.());
    void child.ended.then(({ words }) => this.#end({ code: CloseCode.Abnormal, reason: words }));
  }

  get bufferedAmount(): number {
    return this.#outbox.length + this.#input.writableLength;
  }

  send(frame: string): void {
    if (this.#isClosing) return;
    if (this.#outbox === "") process.nextTick(() => this.#flush());
    this.#outbox += `Content-Length: ${Buffer.byteLength(frame)}\r\n\r\n${frame}`;
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end({ code, reason });
  }

  #flush(): void {
    const text = this.#outbox;
    this.#outbox = "";
    if (this.#input.writable) this.#input.write(text);
  }

  #read(chunk: Buffer, output: Readable): void {
    if (this.#isClosing) return;
    this.#bytesInWindow += chunk.length;
    this.#messages.push(chunk);
    this.#window ??= setTimeout(() => this.#nextWindow(output), WINDOW_MS);
    const isFull = this.#messagesInWindow > WINDOW_MESSAGES || this.#bytesInWindow > WINDOW_BYTES;
    if (isFull) output.pause();
  }

  #nextWindow(output: Readable): void {
    this.#window = undefined;
    this.#messagesInWindow = 0;
    this.#bytesInWindow = 0;
    output.resume();
  }

  #receive(text: string): void {
    this.#messagesInWindow += 1;
    this.onframe?.(namedParams(text));
  }

  #end(reason: CloseReason): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#messages.stop();
    clearTimeout(this.#window);
    process.nextTick(async () => {
      this.#flush();
      this.#input.end();
      // Later output is read and dropped, so that the server can exit.
      this.#child.output.resume();
      await this.#child.end(TIMEOUT);
      this.onclose?.(reason);
    });
  }
}

/** Speaks LSP's base protocol with a command that was started with an input. */
export function createLspTransport(child: ChildCommand, options: LspTransportOptions): Transport {
  if (child.input === undefined) throw new Error("The command was started without an input");
  return new LspTransport(child, child.input, options);
}

/** Some servers write null or an empty list where a message has no parameters. */
function namedParams(text: string): string {
  if (text.length > 500 || !text.includes('"params"')) return text;
  return text.replace(/"params"\s*:\s*(?:null|\[\s*\])/, '"params":{}');
}
