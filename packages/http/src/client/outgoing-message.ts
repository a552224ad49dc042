import type { RequestId } from "@idewire/core/internal";
import { asObject, isRequestId } from "@idewire/core/internal";
import { parseObject, parseValue } from "./parse-object.ts";

/** The parts of an outgoing frame that a transport over HTTP needs. */
export interface OutgoingMessage {
  readonly frame: string;
  /** {@link ANSWER} for a response; no request waits for one to an unreadable frame. */
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

/** A message that is being sent, or waits for its answer. */
export interface Exchange extends OutgoingMessage {
  /** The message and its destination, as error messages name them. */
  readonly what: string;
  /** Aborting it closes the stream of a request. */
  readonly controller: AbortController;
  /** The server's unanswered requests on that stream. */
  readonly questions: Set<unknown>;
}

/** Stands for the method of a response. */
export const ANSWER = "an answer";
/** Stands for the method of the answer to an unreadable frame. */
export const UNREAD = "an error";
/** The first revision with `MCP-Protocol-Version`. */
const FIRST_WITH_HEADER = "2025-06-18";
const VERSION = "io.modelcontextprotocol/protocolVersion";

/** Reads the envelope of a frame; for an invalid one, no answer is expected. */
export function readEnvelope(frame: string): OutgoingMessage {
  // Our own frames need no limit.
  const value = parseValue(frame, JSON.parse);
  const { id, method, params: given } = asObject(value);
  const params = asObject(given);
  const named = isRequestId(id) ? id : undefined;
  const { [VERSION]: revision } = asObject(params["_meta"]);
  const isResponse = typeof method !== "string";
  // We batch only responses.
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

/** The ids of the server's requests that an answer of the server may depend on: all but `ping`. */
export function readQuestions(frame: string): readonly RequestId[] {
  // Nothing else is parsed a second time: it may be large.
  if (!frame.includes('"method"') || !frame.includes('"id"')) return [];
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

/** The revision in the answer to `initialize`, if its requests repeat it in a header. */
export function readRevision(frame: string): string | undefined {
  const { protocolVersion: version } = asObject(parseObject(frame)?.["result"]);
  return typeof version === "string" && version >= FIRST_WITH_HEADER ? version : undefined;
}
