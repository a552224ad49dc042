import type { SessionState } from "./server-connection.ts";
import type { StoredTask } from "./tasks/task.ts";

/**
 * What the instances of one server share, so that any of them can take any request. All values are plain
 * JSON. Every method rejects when the store cannot be reached; nothing has been changed then, as far as
 * is known.
 */
export interface McpStore {
  /** The sessions of legacy clients, by id. */
  readonly sessions: RecordStore<StoredSession>;
  readonly events: EventStore;
  readonly tasks: TaskStore;
  readonly bus: MessageBus;
}

/** Values by id, each for a limited time. */
export interface RecordStore<T> {
  /** Undefined when there is none, or no longer. */
  get(id: string): Promise<T | undefined>;
  /** @param ttlMs how long to keep it from now on; for ever when undefined */
  set(id: string, value: T, ttlMs?: number): Promise<void>;
  /** Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
}

/** A legacy session. */
export interface StoredSession {
  /** Undefined before `initialize`. */
  readonly state?: SessionState;
  /** Who began it; nobody else may continue it. */
  readonly principal?: string;
}

/** What was sent on the streams of a session, for clients that have missed some of it. */
export interface EventStore {
  /**
   * Appends a frame to a stream, which then lasts `ttlMs` longer; resolves to its number, the first of a
   * stream being 1. Only the last frames of a stream are kept.
   */
  append(stream: string, frame: string, ttlMs: number): Promise<number>;
  /**
   * The frames of a stream after a number, oldest first; undefined when there is no such stream or some of
   * them are no longer kept.
   */
  after(stream: string, number: number): Promise<readonly StoredEvent[] | undefined>;
  /** Forgets a stream. */
  delete(stream: string): Promise<void>;
}

export interface StoredEvent {
  readonly number: number;
  readonly frame: string;
}

/** Tasks by id, each with a lease of the instance that runs it. */
export interface TaskStore extends RecordStore<StoredTask> {
  /** Says that an instance runs the task, for the time given; it renews that while it does. */
  lease(id: string, ttlMs: number): Promise<void>;
  /** Whether an instance runs the task. */
  isLeased(id: string): Promise<boolean>;
}

/** Carries messages between instances: to those that listen at that moment, the sender included. */
export interface MessageBus {
  publish(topic: string, message: string): Promise<void>;
  /** Resolves, once messages arrive, to what ends it. */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => Promise<void>>;
}
