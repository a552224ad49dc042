import { IdewireError } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { asObject, isObject, type Params } from "../../rpc/message.ts";
import type { Redactor } from "../../rpc/redactor.ts";
import { describeValue } from "../../text/describe-value.ts";
import { withoutNulls } from "./without-nulls.ts";

/** Reports a fault of the server that leaves a part of its answer usable. */
interface Warned extends Redactor {
  warn(words: string): void;
}

/** A result with a list, and how its items are recognised. */
export interface ListResult {
  readonly method: string;
  readonly answer: unknown;
  /** The member that holds the list. */
  readonly member: string;
  readonly isItem?: (item: unknown) => boolean;
}

/**
 * A result without members that are null, and without invalid items, of which the client is warned.
 * @throws IdewireError `protocol` when there is no list, or nothing usable in it
 */
export function usableResult(
  client: Warned,
  { method, answer, member, isItem = isObject }: ListResult,
): Params {
  const result = asObject(answer);
  const items = result[member];
  if (!Array.isArray(items)) throw badResult("server", method, answer, client);
  const all: readonly unknown[] = items;
  if (all.every(isItem)) return withoutNulls(result);
  const usable = all.filter(isItem);
  const seen = describeValue(
    all.find((item) => !isItem(item)),
    client,
  );
  const words = `${method}: the server's answer has ${seen} in its ${member}`;
  if (usable.length === 0) throw new IdewireError("protocol", words);
  client.warn(words);
  return withoutNulls({ ...result, [member]: usable });
}
