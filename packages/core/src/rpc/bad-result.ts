import { IdewireError } from "../errors.ts";
import { describeValue } from "../text/describe-value.ts";
import type { Redactor } from "./redactor.ts";

/**
 * The error for an answer that violates the protocol.
 * @param redactor keeps secrets out of it
 */
export function badResult(
  from: "client" | "server" | "other end",
  method: string,
  answer: unknown,
  redactor?: Partial<Redactor>,
): IdewireError {
  const seen = describeValue(answer, redactor);
  return new IdewireError("protocol", `The ${from} answered ${method} with ${seen}`);
}
