import { IdewireError } from "../../../errors.ts";
import { isObject } from "../../../rpc/message.ts";
import type { RequestOptions } from "../../../rpc/pending-requests.ts";
import { badResult } from "../../refusals.ts";
import {
  CREATE_MESSAGE,
  type CreateMessageParams,
  type CreateMessageResult,
  findMessagesFault,
  isMessage,
  type SamplingContent,
} from "../../sampling.ts";
import { type ClientOf, connectionOf } from "../connection-of.ts";
import { ask } from "./ask.ts";

// MCP 2025-11-25, Client / Sampling: the server's end.

/**
 * Requests a message from the client's model; the person may have to agree first.
 * @throws IdewireError `protocol`, before anything is sent, when the client or the revision does not
 * support the request; and for an answer that is not a message
 * @throws RpcError -1 when the person refuses
 */
export async function createMessage(
  client: ClientOf,
  params: CreateMessageParams,
  options?: RequestOptions,
): Promise<CreateMessageResult> {
  const fault = faultFor(client, params) ?? findMessagesFault(params.messages);
  if (fault !== undefined) throw new IdewireError("protocol", `${CREATE_MESSAGE}: ${fault}`);
  const answer = await ask(client, CREATE_MESSAGE, { ...params }, options);
  if (isMessage(answer) && typeof (answer as { model?: unknown }).model === "string") {
    return answer as CreateMessageResult;
  }
  throw badResult("client", CREATE_MESSAGE, answer);
}

/** Why the client or its revision does not support a request. */
function faultFor(client: ClientOf, params: CreateMessageParams): string | undefined {
  const { traits, clientCapabilities } = connectionOf(client);
  const { sampling } = clientCapabilities;
  const able = isObject(sampling) ? sampling : {};
  const { messages, tools, toolChoice, includeContext = "none" } = params;
  const content = messages.flatMap((message) => message.content);
  const wantsTools = tools !== undefined || toolChoice !== undefined || content.some(isToolContent);
  if (wantsTools && !(traits.samplingTools && "tools" in able)) {
    return "tools require a client with sampling.tools";
  }
  // Earlier revisions had no capability for it.
  if (includeContext !== "none" && traits.samplingTools && !("context" in able)) {
    return `includeContext ${includeContext} requires a client with sampling.context`;
  }
  if (!traits.samplingTools && messages.some((message) => Array.isArray(message.content))) {
    return "in this revision a message has a single item of content";
  }
  const hasAudio = content.some(({ type }) => type === "audio");
  return hasAudio && !traits.audio ? "this revision has no audio" : undefined;
}

function isToolContent({ type }: SamplingContent): boolean {
  return type === "tool_use" || type === "tool_result";
}
