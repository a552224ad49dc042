import { requireFunction } from "../../misuse.ts";
import type { Call } from "../../rpc/call.ts";
import { describeValue } from "../../text/describe-value.ts";
import { invalidParams } from "../refusals.ts";
import {
  CREATE_MESSAGE,
  type CreateMessageParams,
  type CreateMessageResult,
  findMessagesFault,
  isMessage,
} from "../sampling.ts";
import { revisions } from "../versions.ts";
import type { ClientFeature } from "./feature.ts";

export interface SamplingOptions {
  /** Whether the model accepts tools; since 2025-11-25. */
  readonly tools?: boolean;
  /** Whether `includeContext` is supported. */
  readonly context?: boolean;
}

/** Asks the person, then the model; `call.signal` aborts when the server cancels. */
export type SamplingHandler = (
  params: CreateMessageParams,
  call: Call,
) => CreateMessageResult | Promise<CreateMessageResult>;

/**
 * Lets servers use this client's model (MCP 2025-11-25, Client / Sampling). When the person refuses, the
 * handler throws an `RpcError` with the code -1.
 */
export function sampling(handler: SamplingHandler, options: SamplingOptions = {}): ClientFeature {
  requireFunction("sampling", handler);
  const { tools = false, context = false } = options;
  const details = { ...(tools && { tools: {} }), ...(context && { context: {} }) };
  return {
    capabilities: (revision) => ({ sampling: revisions[revision].samplingTools ? details : {} }),
    requests: {
      [CREATE_MESSAGE]: (call, { revision }) => {
        const params = parseParams(call);
        const wantsTools = params.tools !== undefined || params.toolChoice !== undefined;
        if (wantsTools && !(tools && revisions[revision].samplingTools)) {
          throw invalidParams("tools: this client has not announced sampling.tools");
        }
        return handler(params, call);
      },
    },
  };
}

function parseParams({ params = {} }: Call): CreateMessageParams {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages) || !messages.every(isMessage)) {
    throw invalidParams(`messages: expected messages, got ${describeValue(messages)}`);
  }
  if (typeof maxTokens !== "number") {
    throw invalidParams(`maxTokens: expected number, got ${describeValue(maxTokens)}`);
  }
  const fault = findMessagesFault(messages);
  if (fault !== undefined) throw invalidParams(fault);
  return params as unknown as CreateMessageParams;
}
