import type { Call } from "../../../rpc/call.ts";
import { type AskOptions, type Caller, missingCapability, type Question } from "../caller.ts";

/** The client that is asked, and on behalf of which message. */
export interface Asker {
  readonly caller: Caller;
  /** Undefined for a question that belongs to no call. */
  readonly message?: Call;
}

/** A question, for clients that have announced a capability. */
export interface AskedFor<T> {
  readonly capability: string;
  /** {@link ask} rejects with the error that it throws. */
  readonly toQuestion: (caller: Caller) => Question<T>;
}

/**
 * Asks a client. By default there is no time-out, since a person may have to answer; the question is
 * cancelled together with the call that it belongs to.
 */
export function ask<T>(
  { caller, message }: Asker,
  { capability, toQuestion }: AskedFor<T>,
  options?: AskOptions,
): Promise<T> {
  try {
    const question = toQuestion(caller);
    if (!(capability in caller.clientCapabilities)) {
      const what = `${question.method} requires a client with ${capability}`;
      throw missingCapability(caller, { [capability]: {} }, what);
    }
    const about = message?.id !== undefined && { about: message.id };
    const ofCall = message !== undefined && { signal: message.signal, ...about };
    return caller.ask(question, { timeoutMs: Number.POSITIVE_INFINITY, ...ofCall, ...options });
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
