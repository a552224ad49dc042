import { isObject, isRequestId, type SessionState } from "@idewire/core/internal";
import type { ServerConnection } from "@idewire/core/server";

/** What an instance has of a session: a POST that is answered here, or the response to a GET. */
export interface LocalEnd {
  /** Whether nobody is there who would miss it. */
  readonly isAway?: boolean;
  /** Takes a message of the client if it was waited for here; returns whether it was. */
  deliver?(message: unknown): boolean;
  /** The session has become another elsewhere. */
  restore?(state: SessionState): void;
  /** @param to the response that carries the stream now */
  moved?(stream: string, to: string): void;
  /** Keeps streams alive. */
  comment?(): void;
  /** The session ends: nothing will follow. */
  endSession(): void;
  /** This instance ends, the session does not: what is lost by that is told by another. */
  leave?(): void;
}

/** Whether a message says something of a question that a connection has asked. */
export function isAwaited({ peer }: ServerConnection, message: unknown): boolean {
  const id = isObject(message) ? askedIn(message) : undefined;
  return isRequestId(id) && peer.requests?.awaits(id) === true;
}

/** Whether a message is for whoever waits for it, wherever that is. */
export function isForAnyone(message: unknown): boolean {
  if (!isObject(message)) return false;
  return message["method"] === "notifications/cancelled" || askedIn(message) !== undefined;
}

/** Whether a message is an answer. */
export function isAnswer(message: unknown): boolean {
  return isObject(message) && !("method" in message) && ("result" in message || "error" in message);
}

/** The id of the question that a message answers, or tells the progress of. */
function askedIn(message: Readonly<Record<string, unknown>>): unknown {
  if (isAnswer(message)) return message["id"];
  if (message["method"] !== "notifications/progress") return undefined;
  const { params } = message;
  return isObject(params) ? params["progressToken"] : undefined;
}
