import type { RequestId } from "../../rpc/message.ts";
import type { RequestTarget } from "./caller.ts";
import type { SessionStore } from "./session-store.ts";
import type { StoredTask } from "./tasks/task.ts";

/**
 * The state that the instances of one server share, so that any of them can handle any request. All values are
 * plain JSON. Every method rejects when the store is unreachable; the change may or may not have been made then.
 */
export interface McpStore {
  /** The sessions of legacy clients. */
  readonly sessions: SessionStore;
  readonly events: EventStore;
  readonly tasks: RecordStore<StoredTask>;
  /** The leases of running tasks and instances. */
  readonly leases: LeaseStore;
  readonly bus: MessageBus;
  readonly replays: ReplayStore;
}

/** Values by id, each for a limited time. */
export interface RecordStore<T> {
  /** Undefined when there is none, or no longer. */
  get(id: string): Promise<T | undefined>;
  /** @param ttlMs how long to keep it from now on; without limit if undefined */
  set(id: string, value: T, ttlMs?: number): Promise<void>;
  /**
   * Replaces a value if it still has the expected one; resolves to whether it had.
   * @param before as {@link RecordStore.get} has returned it, or as it was set
   */
  replace(id: string, before: T, value: T, ttlMs?: number): Promise<boolean>;
  /** Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
}

/**
 * The events of the sessions' streams, for clients that have missed some. The name of a stream consists of its
 * session, a colon, and a name within the session.
 */
export interface EventStore {
  /** Begins a stream with a lifetime of `ttlMs`, or extends that of an existing one. */
  open(stream: string, info: StreamInfo, ttlMs: number): Promise<void>;
  /**
   * Appends an event to a stream, and extends the stream's lifetime to `ttlMs`; resolves to its number, from 1 on;
   * to undefined, having done nothing, if there is no such stream or it has its last event. Only the newest events
   * of a stream are kept, and of the streams of a session, and of a principal, only those of the newest.
   */
  append(stream: string, event: NewEvent, ttlMs: number): Promise<number | undefined>;
  /**
   * Calls a listener with the events of a stream after a number, in order, each once: the existing ones before the
   * promise resolves, then each as it is appended, by any instance. The promise resolves to undefined when there
   * is no such stream, or some of the events are no longer kept.
   * @param after undefined for all that are kept
   */
  follow(
    stream: string,
    after: number | undefined,
    listener: StreamListener,
  ): Promise<FollowedStream | undefined>;
  /** Deletes a stream; its listeners are notified that it is lost. */
  delete(stream: string): Promise<void>;
}

/** The properties of a new stream. */
export interface StreamInfo {
  /** Its principal, whose streams together have a limit. */
  readonly principal?: string;
  /** The lease of the instance that appends to it; undefined if any instance may. */
  readonly holder?: string;
  /** The requests that its events answer. */
  readonly ids: readonly RequestId[];
  /** The targets of those requests: a client that resumes the stream must be allowed to request them. */
  readonly asks?: readonly RequestTarget[];
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

/** The listener of a stream. */
export interface StreamListener {
  onevent(event: StoredEvent): void;
  /** Called once, last, when the stream continues and its events are no longer available. */
  onlost(): void;
}

/** A stream with a listener. */
export interface FollowedStream {
  readonly info: StreamInfo;
  /** The number after which its events begin. */
  readonly after: number;
  /** Stops calling the listener. */
  stop(): void;
}

/** Records which ids are alive: the holder of a lease renews it as long as it runs. */
export interface LeaseStore {
  /** Acquires or renews a lease, for the given time from now on. */
  renew(id: string, ttlMs: number): Promise<void>;
  isHeld(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** Remembers single-use values, such as proofs of possession. */
export interface ReplayStore {
  /** Remembers an id for a time; resolves to whether it was remembered already. */
  seen(id: string, ttlMs: number): Promise<boolean>;
}

/** Publishes messages to the instances that are subscribed at that moment, the sender included. */
export interface MessageBus {
  /** Resolves to the number of receivers, if known. */
  publish(topic: string, message: string): Promise<number | undefined>;
  /** Resolves to the undo once messages arrive. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>;
}
