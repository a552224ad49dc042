import { IdewireError, RpcErrorCode } from "../../errors.ts";
import { formatFailure, formatSuccess, reportBug } from "../../rpc/answer.ts";
import { Call, type Progress } from "../../rpc/call.ts";
import {
  type ErrorObject,
  findFault,
  formatError,
  formatNotification,
  invalidRequest,
  isObject,
  isRequestId,
  type Params,
  type RequestId,
} from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { mcpRequestLifecycle } from "../protocol.ts";
import type { RequestTarget } from "./caller.ts";
import type { RequestSource } from "./server-connection.ts";
import type { ModernServer } from "./server-options.ts";

/**
 * The text of the answer to a message, or a promise of it if a handler is asynchronous; undefined if none is due.
 */
export type Answer = string | undefined | Promise<string | undefined>;

/** The origin of a message, for `McpServer.handle`. */
export interface HandleOptions<Context> {
  /** Passed to every tool that the message calls. */
  readonly context: Context;
  /** Who the client is, as far as it has been authenticated; unknown by default. */
  readonly principal?: string | undefined;
  /** The scopes of its authorization, for tools that need some; none by default. */
  readonly scopes?: readonly string[] | undefined;
  /** Called, before the answer, when a call is refused because it requires these scopes. */
  onforbidden?(needed: readonly string[]): void;
  /**
   * Called with an earlier request whose outcome the message asks for, such as the call of a task: whether the client
   * may not send that one now. By default it may if it has its scopes.
   */
  refuses?(request: RequestTarget): boolean;
  /**
   * Sends a frame that precedes the answer.
   * @param state names the state that the frame carries: a newer frame may replace it while it is unsent
   */
  send(frame: string, state?: string): void;
  /** Aborted when the client gives up. It is read only if the answer is not ready in the same turn. */
  readonly signal?: AbortSignal;
  /** Called with unexpected errors of prompts and resources; by default the server's `onerror`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Answers one message of the modern era. */
export function handleMessage<Context>(
  server: ModernServer<Context>,
  message: unknown,
  options: HandleOptions<Context>,
  reportError: (error: unknown) => void,
): Answer {
  if (!isObject(message)) {
    return refuse(invalidRequest(`expected an object, got ${describeValue(message)}`));
  }
  const { id, method, params } = message;
  const isAnswer = method === undefined && ("result" in message || "error" in message);
  // No request of ours waits for an answer: questions travel in results.
  if (isAnswer) return undefined;
  const fault = findFault(message);
  if (fault !== undefined) {
    const isNotice = id === undefined && fault.code === RpcErrorCode.InvalidParams;
    return isNotice ? undefined : refuse(fault, id);
  }
  const source = new MessageSource(options, reportError);
  const call = new Call(source, id as RequestId, method as string, params as Params | undefined);
  return id === undefined ? notice(server, call, source) : answer(server, call, source);
}

function refuse(fault: ErrorObject, id?: unknown): string {
  return formatError(isRequestId(id) ? id : undefined, fault);
}

function notice<Context>(
  server: ModernServer<Context>,
  call: Call,
  source: MessageSource<Context>,
): undefined {
  try {
    server.handle(call, source);
  } catch (error) {
    reportBug(error, source);
  }
}

function answer<Context>(
  server: ModernServer<Context>,
  call: Call,
  source: MessageSource<Context>,
): Answer {
  const { options } = source;
  const id = call.id as RequestId;
  let result: unknown;
  try {
    result = server.handle(call, source);
  } catch (error) {
    return formatFailure(id, error, source);
  }
  if (!(result instanceof Promise)) return formatSuccess(id, result, source);
  const { signal } = options;
  return new Promise((resolve) => {
    const finish = (format: typeof formatSuccess, outcome: unknown) => {
      call.answered();
      resolve(call.aborted ? undefined : format(id, outcome, source));
    };
    result.then(
      (value: unknown) => finish(formatSuccess, value),
      (error: unknown) => finish(formatFailure, error),
    );
    // As in Peer, no function is written in an assignment to a member.
    const onabort = () => resolve(undefined);
    call.onabort = onabort;
    const abort = () => {
      // Not after the answer: it may continue as a task.
      if (call.onabort !== undefined) call.abort(new IdewireError("cancelled", "The client left"));
    };
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A message that is handled without a connection. */
class MessageSource<Context> implements RequestSource<Context> {
  readonly options: HandleOptions<Context>;
  readonly onerror: (error: Error) => void;

  constructor(options: HandleOptions<Context>, reportError: (error: unknown) => void) {
    this.options = options;
    this.onerror = options.onerror ?? reportError;
  }

  get context(): Context {
    return this.options.context;
  }

  get principal(): string | undefined {
    return this.options.principal;
  }

  get scopes(): readonly string[] | undefined {
    return this.options.scopes;
  }

  onforbidden(needed: readonly string[]): void {
    this.options.onforbidden?.(needed);
  }

  refuses(request: RequestTarget): boolean | undefined {
    return this.options.refuses?.(request);
  }

  notify(method: string, params?: Params): void {
    this.options.send(formatNotification(method, params));
  }

  report(call: Call, progress: Progress): void {
    const frame = mcpRequestLifecycle.report(call, progress);
    if (frame !== undefined) this.options.send(frame);
  }

  sendState(key: string, frame: string): void {
    this.options.send(frame, key);
  }
}
