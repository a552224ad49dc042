import { IdewireError } from "../errors.ts";
import { describeValue } from "./message.ts";

/** The error for an answer that violates the protocol. */
export function badResult(
  from: "client" | "server" | "other end",
  method: string,
  answer: unknown,
): IdewireError {
  const seen = describeValue(answer);
  return new IdewireError("protocol", `The ${from} answered ${method} with ${seen}`);
}
