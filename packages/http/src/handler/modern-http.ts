import { isObject } from "@idewire/core/internal";
import { RpcErrorCode } from "@idewire/core/rpc";
import type { McpServer } from "@idewire/core/server";
import { findHeaderFault } from "./header-fault.ts";
import { HttpAnswer } from "./http-answer.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { Refused } from "./refused.ts";
import { statusOf } from "./status-of.ts";

interface ModernHttpOptions<Context> {
  readonly server: McpServer<Context>;
  readonly limits: Pick<HttpLimits, "keepAliveMs">;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Streamable HTTP of MCP 2026-07-28: nothing but POST, and nothing is kept. */
export class ModernHttp<Context> {
  readonly #options: ModernHttpOptions<Context>;
  /** Those that are still to come. */
  readonly #waiting = new Set<HttpAnswer>();

  constructor(options: ModernHttpOptions<Context>) {
    this.#options = options;
  }

  /** @throws Refused */
  post({ head, admission, responder }: Incoming<Context>, { value }: JsonBody): void {
    const { server, limits, onerror } = this.#options;
    const fault = findHeaderFault(head, value, server);
    if (fault !== undefined) throw new Refused(400, fault, { code: RpcErrorCode.HeaderMismatch });
    const answer = new HttpAnswer({ head, responder });
    const text = server.handle(value, {
      context: admission.context,
      principal: admission.principal,
      send: (frame, state) => answer.send(frame, state),
      get signal() {
        return answer.signal;
      },
      onerror,
    });
    const finish = (late: string | undefined) => {
      if (late === undefined) answer.accept();
      else answer.finish(statusOf(late, value), late);
    };
    if (text instanceof Promise) {
      this.#waiting.add(answer);
      responder.onClose(() => this.#waiting.delete(answer));
      answer.wait(limits.keepAliveMs);
      void text.then(finish);
    } else if (text === undefined && !(isObject(value) && "method" in value)) {
      throw new Refused(400, "Nothing was asked: send a request or a notification");
    } else finish(text);
  }

  close(): void {
    for (const answer of this.#waiting) answer.abandon();
  }
}
