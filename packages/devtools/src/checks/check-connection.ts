import type { RequestId } from "@idewire/core/internal";
import {
  describeValue,
  formatNotification,
  formatRequest,
  isObject,
  type RawMessage,
} from "@idewire/core/internal";
import {
  type Clock,
  CloseCode,
  type CloseReason,
  type Params,
  type Transport,
} from "@idewire/core/rpc";
import { frameMessages } from "../trace/conversation/read-frame.ts";
import type { EventLog } from "../trace/recording/event-log.ts";
import { recordTransport } from "../trace/recording/record-transport.ts";
import { CheckFailed } from "./verdict.ts";

/** A server that sends more on one connection is disconnected; messages, and UTF-16 units. */
const MAX_MESSAGES = 5_000;
const MAX_UNITS = 64_000_000;

/** A message of the server, and its event. */
export interface Received {
  readonly n: number;
  /** Milliseconds since the log began. */
  readonly t: number;
  readonly message: RawMessage;
}

export interface CheckConnectionOptions {
  readonly log: EventLog;
  readonly ch: string;
  readonly clock: Clock;
  /** How long an answer of the server may take. */
  readonly answerMs: number;
}

/**
 * The agent's end of a connection: it sends any frame, valid or not, answers the server's requests, and records
 * the messages received.
 */
export class CheckConnection {
  readonly ch: string;
  readonly received: Received[] = [];
  /** How long an answer of the server may take. */
  answerMs: number;
  /** Why the connection closed; undefined while it is open. */
  closed: CloseReason | undefined;
  readonly #transport: Transport;
  readonly #options: CheckConnectionOptions;
  readonly #watchers = new Set<() => void>();
  #units = 0;
  #lastId = 0;

  constructor(transport: Transport, options: CheckConnectionOptions) {
    this.#options = options;
    const { log, ch } = options;
    this.ch = ch;
    this.answerMs = options.answerMs;
    this.#transport = recordTransport(transport, { log, ch, sends: "agent>ide" });
    this.#transport.onframe = (frame) => this.#receive(frame);
    this.#transport.onclose = (reason) => {
      this.closed = reason;
      this.#emit();
    };
  }

  /** Sends a frame verbatim. */
  send(frame: string): void {
    this.#transport.send(frame);
  }

  notify(method: string, params?: Params): void {
    this.send(formatNotification(method, params));
  }

  /** @throws CheckFailed when no answer comes, or the connection closes */
  request(method: string, params?: Params, id: RequestId = this.nextId()): Promise<Received> {
    this.send(formatRequest(id, method, params));
    return this.answerTo(id, describeCall(method, params));
  }

  /** The answer to a request that was sent already. */
  answerTo(id: RequestId, what: string): Promise<Received> {
    const isWanted = (received: Received) => received.message.id === id && isAnswer(received);
    return this.need(isWanted, `the answer to ${what}`);
  }

  /** @throws CheckFailed when the answer is an error, or its result is not an object */
  async result(method: string, params?: Params): Promise<Received & { readonly result: Params }> {
    const answer = await this.request(method, params);
    const { result, error } = answer.message;
    if (isObject(result)) return { ...answer, result };
    const seen = error === undefined ? `the result ${describeValue(result)}` : describeError(error);
    throw new CheckFailed(`${describeCall(method, params)} was answered with ${seen}`);
  }

  /** As {@link CheckConnection.result}, of a tool. */
  callTool(name: string, args: Params = {}): Promise<Received & { readonly result: Params }> {
    return this.result("tools/call", { name, arguments: args });
  }

  /**
   * The first matching message received.
   * @throws CheckFailed at the time-out, or when the connection closes.
   */
  async need(isWanted: (received: Received) => boolean, what: string, from = 0): Promise<Received> {
    const { answerMs } = this;
    const found = await this.waitFor(() => this.received.slice(from).find(isWanted), answerMs);
    if (found !== undefined) return found;
    if (this.closed === undefined) {
      throw new CheckFailed(`${what} did not arrive within ${answerMs} ms`);
    }
    throw new CheckFailed(
      `${what} did not arrive: the server closed ${describeClose(this.closed)}`,
    );
  }

  /**
   * The answer to a frame, with any id; undefined when there is none. A ping follows the frame: the answer
   * must follow soon after that of the ping.
   * @throws CheckFailed when the server does not answer the ping
   */
  async answerIfAny(frame: string, quietMs: number): Promise<Received | undefined> {
    const from = this.received.length;
    this.send(frame);
    const probe = this.nextId();
    await this.request("ping", undefined, probe);
    const isOther = (received: Received) => isAnswer(received) && received.message.id !== probe;
    const find = () => this.received.slice(from).find(isOther);
    return this.waitFor(find, quietMs);
  }

  /** Calls `look` after each message until it returns a value; undefined at the time-out. */
  waitFor<T>(look: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const finish = (value: T | undefined) => {
        clock.clearTimeout(timer);
        this.#watchers.delete(again);
        resolve(value);
      };
      const again = () => {
        const value = look();
        if (value !== undefined || this.closed !== undefined) finish(value);
      };
      const timer = clock.setTimeout(() => finish(undefined), timeoutMs);
      this.#watchers.add(again);
      again();
    });
  }

  /** Waits until the connection has closed; undefined at the time-out. */
  untilClosed(timeoutMs: number): Promise<CloseReason | undefined> {
    return this.waitFor(() => this.closed, timeoutMs);
  }

  close(): void {
    this.#transport.close();
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #receive(frame: string): void {
    const { log } = this.#options;
    const { last: n, nowMs: t } = log;
    this.#units += frame.length;
    if (this.#units > MAX_UNITS || this.received.length >= MAX_MESSAGES) {
      this.#transport.close(CloseCode.PolicyViolation, "it sent more than a check can use");
      return;
    }
    for (const message of frameMessages(frame)) {
      this.received.push({ n, t, message });
      this.#answerRequest(message);
    }
    this.#emit();
  }

  /** Answers requests of the server, which may ping its agent. */
  #answerRequest({ method, id }: RawMessage): void {
    if (typeof method !== "string" || id === undefined) return;
    const answer =
      method === "ping"
        ? { result: {} }
        : { error: { code: -32601, message: `Method not found: ${describeValue(method)}` } };
    this.send(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  }

  #emit(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

export function isAnswer({ message }: Received): boolean {
  return message.method === undefined;
}

function describeCall(method: string, params?: Params): string {
  const name = params?.["name"];
  return method === "tools/call" && typeof name === "string" ? `${method} ${name}` : method;
}

export function describeError(error: unknown): string {
  return isObject(error) ? `the error ${describeValue(error["code"])}` : "neither result nor error";
}

/** `with 1008 "…"`, with the server's reason. */
export function describeClose({ code, reason }: CloseReason): string {
  return reason === "" ? `with ${code}` : `with ${code} ${describeValue(reason)}`;
}
