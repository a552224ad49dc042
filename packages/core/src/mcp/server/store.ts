import type { RequestId } from "../../rpc/message.ts";
import type { SessionStore } from "./session-store.ts";
import type { StoredTask } from "./tasks/task.ts";

/**
 * What the instances of one server share, so that any of them can take any request. All values are plain
 * JSON. Every method rejects when the store cannot be reached; nothing has been changed then, as far as
 * is known.
 */
export interface McpStore {
  /** Those of legacy clients. */
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly tasks: RecordStore<StoredTask>;
  /** Says which tasks and which instances are alive. */
  readonly leases: LeaseStore;
  readonly bus: MessageBus;
  readonly replays: ReplayStore;
}

/** Values by id, each for a limited time. */
export interface RecordStore<T> {
  /** Undefined when there is none, or no longer. */
  get(id: string): Promise<T | undefined>;
  /** @param ttlMs how long to keep it from now on; for ever when undefined */
  set(id: string, value: T, ttlMs?: number): Promise<void>;
  /**
   * Puts a value in place of another, unless that is no longer there; resolves to whether it was.
   * @param before as {@link RecordStore.get} has returned it, or as it was set
   */
  replace(id: string, before: T, value: T, ttlMs?: number): Promise<boolean>;
  /** Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
}

/**
 * What was sent on the streams of sessions, for clients that have missed some of it. A stream is named by its
 * session, a colon, and a name in that.
 */
export interface EventStore {
  /** Begins a stream that is to last `ttlMs`; one that is there already lasts as much longer. */
  open(stream: string, info: StreamInfo, ttlMs: number): Promise<void>;
  /**
   * Appends an event to a stream, which then lasts `ttlMs` longer; resolves to its number, the first of a
   * stream being 1, and to undefined, having done nothing, where there is no such stream or its last event
   * is there. Only the newest events of a stream are kept; of the streams of a session, and of a principal,
   * those of the newest.
   */
  append(stream: string, event: NewEvent, ttlMs: number): Promise<number | undefined>;
  /**
   * Tells a listener the events of a stream after a number, in order, each once: before the promise
   * resolves those that are there, then each as it comes, whoever appends it. The promise resolves to
   * undefined when there is no such stream, or some of them are no longer kept.
   */
  follow(
    stream: string,
    after: number,
    listener: StreamListener,
  ): Promise<FollowedStream | undefined>;
  /** Deletes a stream; its listeners are notified that it is lost. */
  delete(stream: string): Promise<void>;
}

/** What is said of a stream when it begins. */
export interface StreamInfo {
  /** Whose it is; what all its streams keep together is bounded then. */
  readonly principal?: string;
  /** The lease of the instance that appends to it; undefined where any may. */
  readonly holder?: string;
  /** The requests that its events answer. */
  readonly ids: readonly RequestId[];
  /** What those ask for: whoever returns for the events has to be allowed to. */
  readonly asks?: readonly StreamRequest[];
}

/** What a request asks for. */
export interface StreamRequest {
  readonly method: string;
  readonly name?: string | undefined;
  /** The scopes that it needs. */
  readonly scopes?: readonly string[] | undefined;
}

export interface NewEvent {
  /** Empty for an event that only has a number. */
  readonly frame: string;
  /** Whether it is the last one of its stream. */
  readonly ends?: boolean;
}

export interface StoredEvent {
  readonly number: number;
  readonly frame: string;
  readonly ends: boolean;
}

/** Who follows a stream. */
export interface StreamListener {
  onevent(event: StoredEvent): void;
  /** Called once, last, when the stream continues and its events are no longer available. */
  onlost(): void;
}

/** A stream with a listener. */
export interface FollowedStream {
  readonly info: StreamInfo;
  /** Tells the listener nothing more. */
  stop(): void;
}

/** Says by id what is alive: whoever holds a lease renews it while it does. */
export interface LeaseStore {
  /** Holds a lease for the time given, from now on. */
  renew(id: string, ttlMs: number): Promise<void>;
  isHeld(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** Remembers what counts once, such as proofs of possession. */
export interface ReplayStore {
  /** Remembers an id for a time, unless it is remembered already; resolves to whether it was. */
  seen(id: string, ttlMs: number): Promise<boolean>;
}

/** Carries messages between instances: to those that listen at that moment, the sender included. */
export interface MessageBus {
  /** Resolves to how many listeners it has reached, where that is known. */
  publish(topic: string, message: string): Promise<number | undefined>;
  /** Resolves, once messages arrive, to what ends it. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>;
}
