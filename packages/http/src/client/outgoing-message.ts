import type { RequestId } from "@idewire/core/internal";
import { asObject, isRequestId } from "@idewire/core/internal";
import { parseObject, parseValue } from "./parse-object.ts";

/** What a transport over HTTP has to know of a frame that it sends. */
export interface OutgoingMessage {
  readonly frame: string;
  /** {@link ANSWER} for a response, but for one to what could not be read, which nobody waits for. */
  readonly method: string;
  /** Of a request. */
  readonly id: RequestId | undefined;
  /** The requests of the server that a response is for, or a batch of them. */
  readonly answers: readonly RequestId[];
  /** The request that the frame cancels. */
  readonly cancels: unknown;
  /** Of a message of the modern era, which names its revision. */
  readonly revision: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A message that is under way, or waits for its answer. */
export interface Exchange extends OutgoingMessage {
  /** What was sent where, for messages to a person. */
  readonly what: string;
  /** Aborting it closes the stream of a request. */
  readonly controller: AbortController;
  /** What the server has asked on that stream, and has no answer to. */
  readonly questions: Set<unknown>;
}

/** What a response is called in place of a method. */
export const ANSWER = "an answer";
/** What the answer to a frame that cannot be read is called. */
export const UNREAD = "an error";
/** Since this revision there is `MCP-Protocol-Version`. */
const FIRST_WITH_HEADER = "2025-06-18";
const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Reads the envelope of a frame; for an invalid one, no answer is expected. */
export function readEnvelope(frame: string): OutgoingMessage {
  // What is ours may cost as much as its author wants.
  const value = parseValue(frame, JSON.parse);
  const { id, method, params: given } = asObject(value);
  const params = asObject(given);
  const named = isRequestId(id) ? id : undefined;
  const { [VERSION]: revision } = asObject(params["_meta"]);
  const isResponse = typeof method !== "string";
  // Ours are batches of nothing else.
  const answers = isResponse ? idsOf(value) : [];
  return {
    frame,
    method: isResponse ? (answers.length === 0 ? UNREAD : ANSWER) : method,
    id: isResponse ? undefined : named,
    answers,
    cancels: method === "notifications/cancelled" ? params["requestId"] : undefined,
    revision: typeof revision === "string" ? revision : undefined,
    params,
  };
}

/** The ids of requests of the server that a request of ours may wait for: anything but `ping`. */
export function readQuestions(frame: string): readonly RequestId[] {
  return idsOf(parseValue(frame), (method) => typeof method === "string" && method !== "ping");
}

/** The ids in a message, or in a batch. */
function idsOf(value: unknown, fits = (_: unknown) => true): readonly RequestId[] {
  const messages = [value].flat().map(asObject);
  return messages
    .filter(({ method }) => fits(method))
    .map(({ id }) => id)
    .filter(isRequestId);
}

/** The revision that the answer to `initialize` names, where it is one whose requests repeat it in a header. */
export function readRevision(frame: string): string | undefined {
  const { protocolVersion: version } = asObject(parseObject(frame)?.["result"]);
  return typeof version === "string" && version >= FIRST_WITH_HEADER ? version : undefined;
}
