import { isLegacyRevision, type SessionState } from "@idewire/core/internal";
import { HttpAnswer } from "./http-answer.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { Incoming } from "./incoming.ts";
import type { JsonBody } from "./json-body.ts";
import { isInitialize, refuseRevision, statusOfLegacy } from "./legacy-requests.ts";
import type { RequestHead } from "./request-head.ts";
import { requestedIds } from "./requested-ids.ts";
import type { Served } from "./served.ts";

interface StatelessHttpOptions<Context> {
  readonly server: Pick<Served<Context>, "open">;
  readonly limits: Pick<HttpLimits, "keepAliveMs">;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Streamable HTTP of MCP 2025-03-26 to 2025-11-25, without state between requests. */
export class StatelessHttp<Context> {
  readonly #options: StatelessHttpOptions<Context>;

  constructor(options: StatelessHttpOptions<Context>) {
    this.#options = options;
  }

  /**
   * Answers a request as if it followed the handshake of a session.
   * @throws HttpRefusal
   */
  post({ head, admission, responder }: Incoming<Context>, { value, size }: JsonBody): void {
    refuseRevision(head);
    const { server, limits, onerror } = this.#options;
    const { keepAliveMs } = limits;
    const answer = new HttpAnswer({ head, responder, admission, keepAliveMs });
    const conversation = server.open({
      context: admission.context,
      ...{ principal: admission.principal ?? "", scopes: admission.scopes },
      receivesChanges: false,
      session: isInitialize(value) ? undefined : sessionOf(head),
      send: (frame, _about, state) => answer.send(frame, state),
      onforbidden: (needed) => {
        if (!Array.isArray(value)) answer.forbid(needed);
      },
      onclose: () => answer.abandon(),
      ...(onerror !== undefined && { peer: { onerror } }),
    });
    const finish = (text: string | undefined) => {
      if (text === undefined) answer.accept();
      else answer.finish(statusOfLegacy(text, requestedIds(value)), text);
    };
    const text = conversation.handle(value, size);
    if (text instanceof Promise) {
      responder.onClose(() => conversation.close());
      answer.wait();
      void text.then(finish);
    } else finish(text);
  }
}

/** The assumed `initialize` of a client: its revision from the header, no capabilities. */
function sessionOf(head: RequestHead): SessionState {
  const revision = head.header("mcp-protocol-version");
  return {
    revision: isLegacyRevision(revision) ? revision : "2025-03-26",
    clientInfo: { name: "unknown", version: "unknown" },
    clientCapabilities: {},
    initialized: true,
    settings: {},
  };
}
