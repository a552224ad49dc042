import { IdewireError } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { asObject } from "../../../rpc/message.ts";
import {
  CREATE_MESSAGE,
  type CreateMessageParams,
  type CreateMessageResult,
  findMessagesFault,
  isMessage,
  type SamplingContent,
} from "../../sampling.ts";
import type { RevisionTraits } from "../../versions.ts";
import { type AskOptions, type Caller, missingCapability, type Question } from "../caller.ts";
import { type Asker, ask } from "./ask.ts";

// MCP 2025-11-25, Client / Sampling: the server's end.

/** Requests a message from the client's model: `ServerCall.sample`. */
export function createMessage(
  asker: Asker,
  params: CreateMessageParams,
  options?: AskOptions,
): Promise<CreateMessageResult> {
  const capability = "sampling";
  return ask(asker, { capability, toQuestion: (caller) => toQuestion(caller, params) }, options);
}

function toQuestion(caller: Caller, params: CreateMessageParams): Question<CreateMessageResult> {
  requireAbilities(caller, params);
  const fault = faultIn(caller.traits, params) ?? findMessagesFault(params.messages);
  if (fault !== undefined) throw new IdewireError("protocol", `${CREATE_MESSAGE}: ${fault}`);
  return { method: CREATE_MESSAGE, params: { ...params }, parse: parseMessage };
}

function parseMessage(answer: unknown): CreateMessageResult {
  if (isMessage(answer) && typeof (answer as { model?: unknown }).model === "string") {
    return answer as CreateMessageResult;
  }
  throw badResult("client", CREATE_MESSAGE, answer);
}

/** Checks the details of the capability; the capability itself is checked for all questions. */
function requireAbilities(caller: Caller, params: CreateMessageParams): void {
  const { samplingTools } = caller.traits;
  const { sampling } = caller.clientCapabilities;
  const able = asObject(sampling);
  const { tools, toolChoice, includeContext = "none" } = params;
  const wantsTools =
    tools !== undefined || toolChoice !== undefined || contentOf(params).some(isToolContent);
  if (wantsTools && !(samplingTools && "tools" in able)) {
    const what = `${CREATE_MESSAGE}: tools require a client with sampling.tools`;
    throw missingCapability(caller, { sampling: { tools: {} } }, what);
  }
  // Earlier revisions had no capability for it.
  if (includeContext !== "none" && samplingTools && !("context" in able)) {
    const what = `${CREATE_MESSAGE}: includeContext requires a client with sampling.context`;
    throw missingCapability(caller, { sampling: { context: {} } }, what);
  }
}

/** Why the revision does not support a request. */
function faultIn(traits: RevisionTraits, params: CreateMessageParams): string | undefined {
  const { messages } = params;
  if (!traits.samplingTools && messages.some((message) => Array.isArray(message.content))) {
    return "in this revision a message has a single item of content";
  }
  const hasAudio = contentOf(params).some(({ type }) => type === "audio");
  return hasAudio && !traits.audio ? "this revision has no audio" : undefined;
}

function contentOf({ messages }: CreateMessageParams): readonly SamplingContent[] {
  return messages.flatMap((message) => message.content);
}

function isToolContent({ type }: SamplingContent): boolean {
  return type === "tool_use" || type === "tool_result";
}
