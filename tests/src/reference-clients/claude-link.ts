import type { RawData, WebSocket } from "ws";
import type { Transcript } from "./transcript.ts";
import type { JsonObject, WireMessage } from "./wire.ts";
import { isObject, parseJson, toObject } from "./wire.ts";

export type Reply =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "lost" };

export interface LinkHandlers {
  readonly notification: (method: string, params: unknown, frame: WireMessage) => void;
  /** Answers a server's request; `undefined` = no answer now (a dialog waits for the person). */
  readonly request: (frame: WireMessage) => JsonObject | undefined;
}

export interface OutgoingCall {
  readonly id: number;
  readonly reply: Promise<Reply>;
}

interface Pending {
  readonly settle: (reply: Reply) => void;
  /** Abandoned by the client: an answer no longer has an effect. */
  abandoned: boolean;
}

/** The JSON-RPC of a socket: ids from 0, replies matched to requests, faults recorded in the transcript. */
export class ClaudeLink {
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #transcript: Transcript;
  readonly #handlers: LinkHandlers;
  readonly #pending = new Map<number, Pending>();
  readonly #answered = new Set<number>();
  readonly #progressToken: boolean;
  #nextId = 0;
  #initialized = false;

  constructor(
    socket: WebSocket,
    transcript: Transcript,
    handlers: LinkHandlers,
    progressToken: boolean,
  ) {
    this.#socket = socket;
    this.#transcript = transcript;
    this.#handlers = handlers;
    this.#progressToken = progressToken;
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    this.closed = new Promise((resolve) => {
      socket.once("close", (code) => {
        for (const pending of this.#pending.values()) pending.settle({ kind: "lost" });
        this.#pending.clear();
        resolve(code);
      });
    });
    socket.on("error", (error) => {
      if (/payload/i.test(error.message)) transcript.violate("message-too-big", error.message);
    });
    socket.resume();
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Ids of unanswered requests. */
  get unanswered(): readonly number[] {
    return [...this.#pending.keys()];
  }

  request(method: string, params?: object): OutgoingCall {
    return this.#send(method, () => params);
  }

  callTool(name: string, args: object, meta: object = {}): OutgoingCall {
    return this.#send("tools/call", (id) => {
      const _meta = this.#progressToken ? { ...meta, progressToken: id } : meta;
      return { name, arguments: args, ...(Object.keys(_meta).length > 0 ? { _meta } : {}) };
    });
  }

  notify(method: string, params?: object): void {
    this.#write({ jsonrpc: "2.0", method, ...(params ? { params } : {}) });
  }

  respond(id: unknown, body: JsonObject): void {
    this.#write({ jsonrpc: "2.0", id, ...body });
  }

  /** The client no longer waits for this answer. */
  abandon(id: number): void {
    const pending = this.#pending.get(id);
    if (pending) pending.abandoned = true;
  }

  /** A close frame without a code. */
  close(): void {
    this.#socket.close();
  }

  /** Drops the connection, as in a crash. */
  terminate(): void {
    this.#socket.terminate();
  }

  #send(method: string, params: (id: number) => object | undefined): OutgoingCall {
    const id = this.#nextId++;
    if (!this.open) return { id, reply: Promise.resolve({ kind: "lost" }) };
    const reply = new Promise<Reply>((settle) => {
      this.#pending.set(id, { settle, abandoned: false });
    });
    const body = params(id);
    this.#write({ jsonrpc: "2.0", id, method, ...(body ? { params: body } : {}) });
    return { id, reply };
  }

  #write(frame: WireMessage): void {
    if (!this.open) return;
    this.#transcript.add({ kind: "out", frame });
    this.#socket.send(JSON.stringify(frame));
  }

  #receive(data: RawData, isBinary: boolean): void {
    const text = String(data);
    const frame = parseJson(text)?.value;
    if (isBinary) this.#skip("binary", text, "binary-frame");
    else if (frame === undefined) this.#skip("unparsable", text, "not-json");
    else if (!isObject(frame) || frame["jsonrpc"] !== "2.0") {
      this.#skip("unparsable", frame, "not-json-rpc");
    } else {
      this.#transcript.add({ kind: "in", frame });
      this.#dispatch(frame);
    }
  }

  #dispatch(frame: WireMessage): void {
    const { method, id, params } = frame;
    if (typeof method !== "string") this.#onReply(frame);
    else if (id === undefined) this.#handlers.notification(method, params, frame);
    else this.#onRequest(method, frame);
  }

  #onRequest(method: string, frame: WireMessage): void {
    if (!this.#initialized) {
      this.#transcript.violate("request-before-initialize-reply", method);
    }
    const body = this.#handlers.request(frame);
    if (body) this.respond(frame.id, body);
  }

  #onReply(frame: WireMessage): void {
    const id = typeof frame.id === "number" ? frame.id : undefined;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || !pending) {
      const rule = id !== undefined && this.#answered.has(id) ? "second-answer" : "unknown-id";
      this.#skip("unknown-id", frame, rule);
      return;
    }
    this.#pending.delete(id);
    this.#answered.add(id);
    this.#initialized = true;
    if ("result" in frame === "error" in frame) {
      this.#transcript.violate("result-or-error", `answer ${id} must have exactly one of the two`);
    }
    if (pending.abandoned) this.#transcript.add({ kind: "dropped", frame, reason: "late-answer" });
    const failed = frame.error !== undefined && frame.error !== null;
    if (failed && typeof toObject(frame.error)["code"] !== "number") {
      this.#transcript.violate("error-without-code", JSON.stringify(frame.error));
    }
    pending.settle(
      failed ? { kind: "error", error: frame.error } : { kind: "result", result: frame.result },
    );
  }

  #skip(reason: "binary" | "unparsable" | "unknown-id", frame: unknown, rule: string): void {
    this.#transcript.add({ kind: "dropped", frame, reason });
    this.#transcript.violate(rule, JSON.stringify(frame).slice(0, 200));
  }
}
