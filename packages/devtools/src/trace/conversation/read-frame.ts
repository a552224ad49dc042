import type { RequestId } from "@idewire/core/internal";
import {
  answerLimits,
  isCostly,
  isObject,
  isRequestId,
  Method,
  type RawMessage,
} from "@idewire/core/internal";
import { exactJson } from "../exact-json.ts";
import type { FrameEvent, FrameForm } from "../format/trace-event.ts";

/** The kind of a message. */
export type MessageKind = "request" | "notification" | "result" | "error" | "malformed";

/** The kind of a frame; a batch is any JSON array. */
export type FrameKind = MessageKind | "batch";

/** A message, without those around it. */
export interface MessageReading {
  readonly kind: MessageKind;
  /** As parsed; its members are unchecked. Anything when malformed. */
  readonly value: RawMessage;
  readonly method?: string;
  /** The tool that `tools/call` names. */
  readonly tool?: string;
  /** An id that JavaScript would round is a string of its digits. */
  readonly id?: RequestId | null;
  /** The request that a notification cancels, as above. */
  readonly cancelled?: RequestId;
  readonly errorCode?: number;
  /** The result of a tool has `isError`. */
  readonly toolError?: boolean;
}

/** A frame, without those around it. */
export interface FrameReading {
  readonly kind: FrameKind;
  /** One, or those of a batch. */
  readonly messages: readonly MessageReading[];
  /** Set when the frame was not parsed. */
  readonly unread?: UnreadFrame;
}

/** Why a frame was not parsed; `costly` when that would take noticeable time. */
export type UnreadFrame = FrameForm | "cut" | "costly" | "not-json";

const CANCELLED = "notifications/cancelled";
/** Numbers with fewer digits are not rounded. */
const LONG = /\d{16}/;

/** Longer names are cut; UTF-16 units. */
export const MAX_NAME_UNITS = 1000;

/**
 * Reads one frame; never throws.
 * @param isExact whether values retain numbers that JavaScript would round, as {@link exactJson} reads them
 */
export function readFrame(
  { raw, form, cut }: Pick<FrameEvent, "raw" | "form" | "cut">,
  isExact = false,
): FrameReading {
  const unread = form ?? (cut === undefined ? undefined : "cut");
  if (unread !== undefined) return { kind: "malformed", messages: [], unread };
  if (isCostly(raw, answerLimits)) {
    const kind = raw.trimStart().startsWith("[") ? "batch" : "malformed";
    return { kind, messages: [], unread: "costly" };
  }
  let exact: unknown;
  let value: unknown;
  try {
    exact = exactJson.parse(raw);
    value = isExact || !LONG.test(raw) ? exact : JSON.parse(raw);
  } catch {
    return { kind: "malformed", messages: [], unread: "not-json" };
  }
  if (Array.isArray(value)) {
    const messages = value.map((each, at) => readMessage(each, (exact as unknown[])[at]));
    return { kind: "batch", messages };
  }
  const message = readMessage(value, exact);
  return { kind: message.kind, messages: [message] };
}

/**
 * The JSON objects of a frame: several in a batch, none in a text that is not JSON or too costly.
 * @param isExact as for {@link readFrame}
 */
export function frameMessages(raw: string, isExact = false): readonly RawMessage[] {
  return readFrame({ raw }, isExact)
    .messages.map(({ value }) => value)
    .filter(isObject);
}

function readMessage(value: unknown, exact: unknown): MessageReading {
  if (!isObject(value) || !isObject(exact)) {
    return { kind: "malformed", value: value as RawMessage };
  }
  const message: RawMessage = value;
  const { id: given, params, error, result } = message;
  const own = given === null ? null : readId(exact["id"]);
  const id = own === undefined ? {} : { id: own };
  if (typeof message.method === "string") {
    const method = message.method.slice(0, MAX_NAME_UNITS);
    const tool = method === Method.ToolsCall ? nameIn(params) : undefined;
    const kind = given === undefined ? "notification" : "request";
    const named = isObject(exact["params"]) ? readId(exact["params"]["requestId"]) : undefined;
    return {
      ...{ kind, value: message, method, ...id },
      ...(tool !== undefined && { tool }),
      ...(method === CANCELLED && named !== undefined && { cancelled: named }),
    };
  }
  if (error !== undefined) {
    const code = isObject(error) ? error["code"] : undefined;
    const errorCode = typeof code === "number" ? { errorCode: code } : {};
    return { kind: "error", value: message, ...id, ...errorCode };
  }
  if (result === undefined) return { kind: "malformed", value: message, ...id };
  const failed = isObject(result) && result["isError"] === true;
  return { kind: "result", value: message, ...id, ...(failed && { toolError: true }) };
}

/** An id as exact JSON has it; undefined for anything else. */
function readId(exact: unknown): RequestId | undefined {
  return exactJson.isLongNumber(exact)
    ? exactJson.findInexact(exact)
    : isRequestId(exact)
      ? exact
      : undefined;
}

function nameIn(params: unknown): string | undefined {
  const name = isObject(params) ? params["name"] : undefined;
  return typeof name === "string" ? name.slice(0, MAX_NAME_UNITS) : undefined;
}
