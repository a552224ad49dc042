import { IdewireError } from "../errors.ts";
import type { Call, Progress } from "./call.ts";
import {
  asObject,
  formatNotification,
  isObject,
  isRequestId,
  type Params,
  type RequestId,
} from "./message.ts";
import type { RequestOptions } from "./request-options.ts";

/** Takes progress notifications for requests by their ids. */
export interface ProgressReceiver {
  progress(id: unknown, progress: Progress): void;
}

/**
 * How a protocol on top of JSON-RPC 2.0 cancels requests and reports their progress. A peer without a
 * lifecycle does neither.
 */
export interface RequestLifecycle {
  /** The parameters of an outgoing request. */
  prepare(
    params: Params | undefined,
    id: number,
    options: RequestOptions | undefined,
  ): Params | undefined;
  /** Acts on an incoming notification, after its handler. */
  notice(
    call: Call,
    requests: ProgressReceiver | undefined,
    running: ReadonlyMap<RequestId, Call> | undefined,
  ): void;
  /** The frame that cancels an outgoing request. */
  cancel(id: number, reason: string): string;
  /**
   * The frame that reports progress of an incoming request; undefined when the caller did not ask.
   */
  report(call: Call<unknown>, progress: Progress): string | undefined;
}

/** MCP's lifecycle, with the given names of its two notifications. */
export function createRequestLifecycle(names: {
  readonly cancelled: string;
  readonly progress: string;
}): RequestLifecycle {
  const { cancelled, progress } = names;
  return {
    prepare: (params, id, options) => (wantsProgress(options) ? withToken(params, id) : params),
    notice({ method, params }, requests, running) {
      if (method === progress) {
        const seen = toProgress(params);
        if (seen !== undefined) requests?.progress(params?.["progressToken"], seen);
      } else if (method === cancelled && isRequestId(params?.["requestId"])) {
        const reason = new IdewireError("cancelled", "The caller cancelled");
        running?.get(params["requestId"])?.abort(reason);
      }
    },
    cancel: (id, reason) => formatNotification(cancelled, { requestId: id, reason }),
    report({ params }, state) {
      const { progressToken } = asObject(asObject(params)["_meta"]);
      if (!isRequestId(progressToken)) return undefined;
      return formatNotification(progress, { progressToken, ...state });
    },
  };
}

function wantsProgress(options: RequestOptions | undefined): boolean {
  return options?.onProgress !== undefined || options?.resetTimeoutOnProgress === true;
}

function withToken(params: Params | undefined, progressToken: number): Params {
  // In V8 an object literal with another member after a spread takes ten times as long.
  const meta = params?.["_meta"];
  const _meta = isObject(meta) ? Object.assign({}, meta, { progressToken }) : { progressToken };
  return Object.assign({}, params, { _meta });
}

function toProgress(params: Params | undefined): Progress | undefined {
  const progress = params?.["progress"];
  if (typeof progress !== "number") return undefined;
  const total = params?.["total"];
  const message = params?.["message"];
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
}
