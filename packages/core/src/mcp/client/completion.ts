import { badResult } from "../../rpc/bad-result.ts";
import { isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CompletionReference } from "../protocol.ts";
import { revisions } from "../versions.ts";
import type { McpClient } from "./client.ts";

const COMPLETE = "completion/complete";

/** A request for completions. */
export interface CompletionQuestion {
  readonly reference: CompletionReference;
  readonly argument: string;
  /** What has been typed so far. */
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

/**
 * Requests the possible values of an argument (MCP 2025-11-25, Server / Utilities / Completion). In
 * 2024-11-05, which has no capability for this, the request is sent in any case.
 */
export async function complete(
  client: McpClient,
  { reference, argument, value, known }: CompletionQuestion,
  options?: RequestOptions,
): Promise<Completions> {
  const { completionCapability, completionContext } = revisions[client.revision];
  const params = {
    ref: reference,
    argument: { name: argument, value },
    ...(completionContext && known !== undefined && { context: { arguments: known } }),
  };
  const answer = completionCapability
    ? await client.request("completions", COMPLETE, params, options)
    : await client.send(COMPLETE, params, options);
  const found = isObject(answer) ? answer["completion"] : undefined;
  if (isObject(found) && Array.isArray(found["values"])) return found as unknown as Completions;
  throw badResult("server", COMPLETE, answer, client);
}
