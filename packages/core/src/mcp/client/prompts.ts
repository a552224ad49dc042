import { badResult } from "../../rpc/bad-result.ts";
import { isObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { GetPromptResult, PromptArguments, PromptDescription } from "../prompts.ts";
import type { McpClient } from "./client.ts";
import { listAll, pagesOf } from "./list-all.ts";

// MCP 2025-11-25, Server / Prompts: the client's end.

const GET = "prompts/get";

/** All prompts of the server, from all pages. */
export function listPrompts(
  client: McpClient,
  options?: RequestOptions,
): Promise<readonly PromptDescription[]> {
  return listAll(client, { method: "prompts/list", member: "prompts" }, options);
}

/** The prompts, page by page. */
export function promptPages(
  client: McpClient,
  options?: RequestOptions,
): AsyncIterable<readonly PromptDescription[]> {
  return pagesOf(client, { method: "prompts/list", member: "prompts" }, options);
}

/**
 * The messages of a prompt with its arguments.
 * @throws RpcError -32602 when the prompt does not exist, or an argument is missing
 */
export async function getPrompt(
  client: McpClient,
  name: string,
  args: PromptArguments = {},
  options?: RequestOptions,
): Promise<GetPromptResult> {
  const answer = await client.request("prompts", GET, { name, arguments: args }, options);
  if (isObject(answer) && Array.isArray(answer["messages"])) {
    return answer as unknown as GetPromptResult;
  }
  throw badResult("server", GET, answer, client);
}
