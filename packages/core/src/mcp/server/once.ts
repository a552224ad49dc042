import type { Call } from "../../rpc/call.ts";
import { callerOf } from "./caller.ts";

/** The values of calls whose handlers run once, by key. */
const made = new WeakMap<Call, Map<string, unknown>>();

/**
 * A value that a handler makes once per request and finds again when it is run again with the answers to
 * its questions, as in the modern era: an id, a random choice, the result of an action that must not
 * happen twice. It travels, sealed, through the client and must be a JSON value.
 * @param key names the value among those of the call
 */
export async function once<T>(call: Call, key: string, make: () => T | Promise<T>): Promise<T> {
  const caller = callerOf(call);
  if (caller.once !== undefined) return caller.once(key, make);
  const values = made.get(call) ?? new Map<string, unknown>();
  made.set(call, values);
  if (!values.has(key)) values.set(key, make());
  return values.get(key) as T | Promise<T>;
}
