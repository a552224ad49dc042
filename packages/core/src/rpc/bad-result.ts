import { IdewireError } from "../errors.ts";
import { describeValue } from "./message.ts";
import type { SecretHider } from "./transport.ts";

/**
 * The error for an answer that violates the protocol.
 * @param hiding keeps secrets out of it
 */
export function badResult(
  from: "client" | "server" | "other end",
  method: string,
  answer: unknown,
  hiding?: Partial<SecretHider>,
): IdewireError {
  const seen = describeValue(hiding?.withoutSecrets?.(answer) ?? answer);
  return new IdewireError("protocol", `The ${from} answered ${method} with ${seen}`);
}
