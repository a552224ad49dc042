import { asObject } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import type { CallToolResult } from "../content.ts";
import { Method } from "../protocol.ts";
import { revisions } from "../versions.ts";
import { isContentBlock } from "./content-items.ts";
import type { ClientSession } from "./feature.ts";
import type { OutputSchema } from "./output-check.ts";
import { usableResult } from "./usable-result.ts";

/** Options of a call whose structured result is checked. */
export interface CheckedCallOptions<Output> extends RequestOptions {
  /** Any Standard Schema, which gives the result its type, or JSON Schema. */
  readonly output: OutputSchema<Output>;
}

/** Options of a call of a tool. */
export interface CallToolOptions extends RequestOptions {
  readonly output?: OutputSchema<unknown>;
}

/** The options of the request that a call sends. */
export function toRequestOptions({ output: _, ...options }: CallToolOptions = {}): RequestOptions {
  return { resetTimeoutOnProgress: true, ...options };
}

/**
 * The result of a call, with its unusable items left out.
 * @throws IdewireError `protocol` for a result without usable content
 */
export function toToolResult(
  session: ClientSession,
  tool: string,
  answer: unknown,
): CallToolResult {
  const { content, structuredContent } = asObject(answer);
  // There null is a value like any other.
  const isNull = structuredContent === null && revisions[session.revision].anyStructuredContent;
  const resultOf = (given: unknown) => {
    const method = Method.ToolsCall;
    const list = { method, answer: given, member: "content", isItem: isContentBlock };
    const result = usableResult(session, list);
    return (isNull ? { ...result, structuredContent } : result) as unknown as CallToolResult;
  };
  try {
    return resultOf(answer);
  } catch (error) {
    if (!isNull && (structuredContent ?? undefined) === undefined) throw error;
    const has = (content ?? undefined) === undefined ? "no content" : "no usable content";
    session.warn(`${session.redact(tool)}: the server's result has structuredContent and ${has}`);
    return resultOf({ ...asObject(answer), content: [] });
  }
}
