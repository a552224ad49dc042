import { badResult } from "../../rpc/bad-result.ts";
import { asObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CompletionReference } from "../protocol.ts";
import { revisions } from "../versions.ts";
import type { Session } from "./session.ts";
import { usableResult } from "./usable-result.ts";

/** A request for completions. */
export interface CompletionQuestion {
  readonly reference: CompletionReference;
  readonly argument: string;
  /** The text typed so far. */
  readonly value: string;
  /** The arguments that are already set; sent since 2025-06-18. */
  readonly known?: Readonly<Record<string, string>>;
}

export interface Completions {
  /** At most 100. */
  readonly values: readonly string[];
  /** The total number, if the server states it. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Requests the possible values of an argument. */
export async function requestCompletions(
  session: Session,
  { reference, argument, value, known }: CompletionQuestion,
  options?: RequestOptions,
): Promise<Completions> {
  const method = "completion/complete";
  const { completionContext } = revisions[session.revision];
  const params = {
    ref: reference,
    argument: { name: argument, value },
    ...(completionContext && known !== undefined && { context: { arguments: known } }),
  };
  const answer = await session.request(method, params, options);
  const { completion } = asObject(answer);
  if (!Array.isArray(asObject(completion)["values"])) {
    throw badResult("server", method, answer, session);
  }
  const isItem = (value: unknown) => typeof value === "string";
  const list = { method, answer: completion, member: "values", isItem };
  return usableResult(session, list) as unknown as Completions;
}
