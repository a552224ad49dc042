import { isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/pending-requests.ts";
import type { CompletionReference } from "../protocol.ts";
import { badResult } from "../refusals.ts";
import type { McpClient } from "./client.ts";

const COMPLETE = "completion/complete";

/** What a client wants completed. */
export interface CompletionQuestion {
  readonly reference: CompletionReference;
  readonly argument: string;
  /** What is typed so far. */
  readonly value: string;
  /** The arguments that are settled already; told since 2025-06-18. */
  readonly known?: Readonly<Record<string, string>>;
}

export interface Completions {
  /** 100 at most. */
  readonly values: readonly string[];
  /** How many there are in all, where the server says. */
  readonly total?: number;
  readonly hasMore?: boolean;
}

/**
 * Asks the server how an argument may go on (MCP 2025-11-25, Server / Utilities / Completion). In
 * 2024-11-05 no capability says whether it can: then it is asked.
 */
export async function complete(
  client: McpClient,
  { reference, argument, value, known }: CompletionQuestion,
  options?: RequestOptions,
): Promise<Completions> {
  const { completionCapability, completionContext } = client.traits;
  const params = {
    ref: reference,
    argument: { name: argument, value },
    ...(completionContext && known !== undefined && { context: { arguments: known } }),
  };
  const answer = completionCapability
    ? await client.request("completions", COMPLETE, params, options)
    : await client.peer.request(COMPLETE, params, options);
  const found = isObject(answer) ? answer["completion"] : undefined;
  if (isObject(found) && Array.isArray(found["values"])) return found as unknown as Completions;
  throw badResult("server", COMPLETE, answer);
}
