import { CloseCode, type ConnectOptions, type McpServer, RpcErrorCode } from "@idewire/core";
import { findHeaderFault } from "./header-fault.ts";
import { type HttpSessionsOptions, peerOptionsOf } from "./http-sessions.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { ModernExchange } from "./modern-exchange.ts";
import { Refused } from "./refused.ts";
import { accepts } from "./request-head.ts";
import type { SlowExchanges } from "./slow-exchanges.ts";

/** Streamable HTTP of MCP 2026-07-28: nothing but POST, and nothing is kept. */
export class ModernHttp<Context> {
  readonly #server: McpServer<Context>;
  readonly #peer: ConnectOptions<Context>["peer"] & object;
  readonly #slow: SlowExchanges;
  /** Those that wait for their answer. */
  readonly #waiting = new Set<ModernExchange>();

  constructor(options: HttpSessionsOptions<Context>, slow: SlowExchanges) {
    this.#server = options.server;
    this.#peer = peerOptionsOf(options);
    this.#slow = slow;
  }

  /** @throws Refused */
  post({ head, admission, responder }: Incoming<Context>, body: JsonBody): void {
    const fault = findHeaderFault(head, body.value, this.#server);
    if (fault !== undefined) throw new Refused(400, fault, { code: RpcErrorCode.HeaderMismatch });
    const exchange = new ModernExchange({
      responder,
      takesJson: accepts(head, "application/json"),
      takesEvents: accepts(head, "text/event-stream"),
    });
    const { context, principal } = admission;
    const { peer } = this.#server.connect(exchange, {
      context,
      principal,
      era: "modern",
      passing: true,
      peer: this.#peer,
    });
    if (!exchange.take(peer, body)) return;
    this.#waiting.add(exchange);
    responder.onClose(() => this.#waiting.delete(exchange));
    this.#slow.add(exchange);
  }

  /** Keeps the streams alive. */
  sweep(): void {
    for (const exchange of this.#waiting) exchange.comment();
  }

  close(): void {
    for (const exchange of this.#waiting) exchange.close(CloseCode.GoingAway);
  }
}
