import { encodeHeaders } from "./encode-headers.ts";
import type { HttpRefusal } from "./http-refusal.ts";
import { eventHeaders, type HttpHeaders, type Responder } from "./responder.ts";

/** The answer to a request of the fetch standard. */
export class FetchResponder implements Responder {
  /** Resolves as soon as the head is known. */
  readonly response: Promise<Response>;
  ended = false;
  #added: HttpHeaders | undefined;
  #resolve: (response: Response) => void = () => {};
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #encoder = new TextEncoder();
  readonly #onClose: (() => void)[] = [];
  readonly #onWrite: (() => void)[] = [];
  readonly #onDrain: (() => void)[] = [];

  /** @param signal aborted when the client leaves, if the platform reports that */
  constructor(signal: AbortSignal) {
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (signal.aborted) this.destroy();
    else signal.addEventListener("abort", () => this.destroy());
  }

  get bufferedAmount(): number {
    return -Math.min(0, this.#controller?.desiredSize ?? 0);
  }

  onClose(listener: () => void): void {
    if (this.ended) listener();
    else this.#onClose.push(listener);
  }

  onWrite(listener: () => void): void {
    this.#onWrite.push(listener);
  }

  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  addHeaders(headers: HttpHeaders): void {
    this.#added = headers;
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    if (this.ended) return;
    this.#resolve(
      new Response(body || null, {
        status,
        headers: encodeHeaders({ ...this.#added, ...headers }),
      }),
    );
    this.#close();
  }

  refuse(refused: HttpRefusal): void {
    if (this.#controller !== undefined) {
      this.end();
      return;
    }
    const { status, headers, body } = refused.answerTo();
    this.answer(status, headers, body);
  }

  begin(headers: HttpHeaders): void {
    if (this.ended) return;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          for (const listener of this.#onDrain) listener();
        },
        cancel: () => this.#close(),
      },
      { highWaterMark: 0, size: (chunk) => chunk?.byteLength ?? 0 },
    );
    this.#resolve(
      new Response(body, {
        status: 200,
        headers: encodeHeaders({ ...this.#added, ...headers, ...eventHeaders }),
      }),
    );
  }

  write(text: string): void {
    if (this.ended) return;
    this.#controller?.enqueue(this.#encoder.encode(text));
    for (const listener of this.#onWrite) listener();
  }

  end(): void {
    if (this.ended) return;
    this.#controller?.close();
    this.#close();
  }

  destroy(): void {
    if (this.ended) return;
    this.#controller?.error(new DOMException("The client has left", "AbortError"));
    // The application may await it; its value is unused.
    this.#resolve(new Response(null, { status: 500 }));
    this.#close();
  }

  #close(): void {
    if (this.ended) return;
    this.ended = true;
    for (const listener of this.#onClose) listener();
  }
}
