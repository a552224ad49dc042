import { asObject, toRpcError } from "@idewire/core/internal";
import { RpcError, RpcErrorCode } from "@idewire/core/rpc";
import type { FrameFacts } from "@idewire/devtools/internal";
import { effect } from "@preact/signals";
import { exactJson } from "../state/exact-json.ts";
import type { PageModel } from "../state/page-model.ts";
import { rawOf } from "../state/raw-of.ts";
import type { PageRequest } from "./inspector.ts";

/** A request of this page in the log. */
export interface FoundRequest {
  readonly request?: FrameFacts | undefined;
  readonly answer?: FrameFacts | undefined;
}

/** A request of this page and its answer, as far as the log has them. */
export function findAnswer(model: PageModel, { sent }: PageRequest): FoundRequest {
  const { id, ch } = sent.value ?? {};
  if (id === undefined) return {};
  // Newest first: the list may be long.
  const request = model.index.frames.findLast(
    (one) =>
      one.id === id &&
      one.kind === "request" &&
      one.dir === "agent>ide" &&
      (ch === undefined || one.ch === ch),
  );
  const answer = request?.pair === undefined ? undefined : model.index.of(request.pair);
  return { request, answer };
}

/** The result of a request of this page; undefined before the answer, and for an error. */
export function resultOf(model: PageModel, pageRequest: PageRequest): unknown {
  const { answer } = findAnswer(model, pageRequest);
  if (answer?.kind !== "result") return undefined;
  const { result } = exactJson.parse(rawOf(model, answer.n)) as { readonly result?: unknown };
  return result;
}

/**
 * Waits for the answer of a server to a request of this page.
 * @throws RpcError the error that it is, or why there is none
 */
export function answerTo(model: PageModel, pageRequest: PageRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = effect(() => {
      void model.version.value;
      const { answer, request } = findAnswer(model, pageRequest);
      const failure = pageRequest.failure.value ?? request?.unanswered?.reason;
      if (answer === undefined && failure === undefined) return;
      queueMicrotask(() => stop());
      if (answer === undefined) {
        reject(new RpcError(RpcErrorCode.InternalError, failure ?? ""));
        return;
      }
      const { result, error } = asObject(exactJson.parse(rawOf(model, answer.n)));
      if (error === undefined) resolve(result);
      else
        reject(
          toRpcError(error) ?? new RpcError(RpcErrorCode.InternalError, "Not an error object"),
        );
    });
  });
}

/** A progress notification. */
export interface ShownProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The newest progress of a request of this page. */
export function findProgress(model: PageModel, { sent }: PageRequest): ShownProgress | undefined {
  const { id, ch } = sent.value ?? {};
  if (id === undefined) return undefined;
  const { frames } = model.index;
  for (let at = frames.length - 1; at >= 0; at -= 1) {
    const one = frames[at];
    if (one === undefined || one.ch !== ch) continue;
    // Before it was sent it had no progress.
    if (one.dir === "agent>ide" && one.kind === "request" && one.id === id) return undefined;
    if (one.dir !== "ide>agent" || one.method !== "notifications/progress") continue;
    const progress = toProgress(rawOf(model, one.n), id);
    if (progress !== undefined) return progress;
  }
  return undefined;
}

/** The progress in a notification, if it is that of a request. */
function toProgress(raw: string, id: unknown): ShownProgress | undefined {
  const { params } = asObject(parse(raw));
  const { progressToken, progress, total, message } = asObject(params);
  if (progressToken !== id) return undefined;
  if (typeof progress !== "number") return undefined;
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** `2 of 5: reading`. */
export function describeProgress({ progress, total, message }: ShownProgress): string {
  const whole = total === undefined ? "" : ` of ${total}`;
  return `${progress}${whole}${message === undefined ? "" : `: ${message}`}`;
}
