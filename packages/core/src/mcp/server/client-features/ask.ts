import { Call } from "../../../rpc/call.ts";
import {
  type AskOptions,
  type Caller,
  type ClientOf,
  callerOf,
  missingCapability,
  type Question,
} from "../caller.ts";

/**
 * Asks a client. By default there is no time-out, since a person may have to answer; a question on
 * behalf of a call belongs to the call, and is cancelled together with it.
 * @param capability what the client must have announced
 * @param toQuestion the question to this client; what it throws is what `ask` rejects with
 */
export function ask<T>(
  client: ClientOf,
  { capability, toQuestion }: AskedFor<T>,
  options?: AskOptions,
): Promise<T> {
  try {
    const caller = callerOf(client);
    const question = toQuestion(caller);
    if (!(capability in caller.clientCapabilities)) {
      const what = `${question.method} requires a client with ${capability}`;
      throw missingCapability(caller, { [capability]: {} }, what);
    }
    return caller.ask(question, {
      timeoutMs: Number.POSITIVE_INFINITY,
      ...(client instanceof Call && partOf(client)),
      ...options,
    });
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

interface AskedFor<T> {
  readonly capability: string;
  readonly toQuestion: (caller: Caller) => Question<T>;
}

function partOf({ id, signal }: Call): AskOptions {
  return { signal, ...(id !== undefined && { about: id }) };
}
