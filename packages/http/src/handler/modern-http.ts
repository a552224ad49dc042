import { isObject, type RequestTarget } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { HandleOptions, McpServer } from "@idewire/core/server";
import { findHeaderFault } from "./header-fault.ts";
import { HttpAnswer } from "./http-answer.ts";
import type { HttpLimits } from "./http-limits.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import type { Admission } from "./request-head.ts";
import { statusOf } from "./status-of.ts";

interface ModernHttpOptions<Context> {
  readonly server: McpServer<Context>;
  readonly limits: Pick<HttpLimits, "keepAliveMs">;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Streamable HTTP of MCP 2026-07-28: POST alone, without state between requests. */
export class ModernHttp<Context> {
  readonly #options: ModernHttpOptions<Context>;
  /** The outstanding answers. */
  readonly #waiting = new Set<HttpAnswer>();

  constructor(options: ModernHttpOptions<Context>) {
    this.#options = options;
  }

  /** @throws HttpRefusal */
  post({ head, admission, responder }: Incoming<Context>, { value }: JsonBody): void {
    const { server, limits, onerror } = this.#options;
    const fault = findHeaderFault(head, value, server);
    if (fault !== undefined)
      throw new HttpRefusal(400, fault, { code: RpcErrorCode.HeaderMismatch });
    const { keepAliveMs } = limits;
    const answer = new HttpAnswer({ head, responder, admission, keepAliveMs });
    const text = server.handle(value, new ModernPost(admission, answer, onerror));
    const finish = (late: string | undefined) => {
      if (late === undefined) answer.accept();
      else answer.finish(statusOf(late, value), late);
    };
    if (text instanceof Promise) {
      this.#waiting.add(answer);
      responder.onClose(() => this.#waiting.delete(answer));
      answer.wait();
      void text.then(finish);
    } else if (text === undefined && !(isObject(value) && "method" in value)) {
      throw new HttpRefusal(400, "Nothing was asked: send a request or a notification");
    } else finish(text);
  }

  close(): void {
    for (const answer of this.#waiting) answer.abandon();
  }
}

/** One POST as the server sees it: a class, so that no request makes functions that the server may never call. */
class ModernPost<Context> implements HandleOptions<Context> {
  readonly context: Context;
  readonly principal: string | undefined;
  readonly scopes: readonly string[] | undefined;
  readonly onerror: ((error: Error) => void) | undefined;
  readonly #answer: HttpAnswer;

  constructor(
    { context, principal, scopes }: Admission<Context>,
    answer: HttpAnswer,
    onerror: ((error: Error) => void) | undefined,
  ) {
    this.context = context;
    this.principal = principal;
    this.scopes = scopes;
    this.onerror = onerror;
    this.#answer = answer;
  }

  get signal(): AbortSignal {
    return this.#answer.signal;
  }

  onforbidden(needed: readonly string[]): void {
    this.#answer.forbid(needed);
  }

  refuses(request: RequestTarget): boolean {
    return this.#answer.refuses(request);
  }

  send(frame: string, state?: string): void {
    this.#answer.send(frame, state);
  }
}
