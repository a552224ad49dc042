import type { IdeServer } from "@idewire/core";
import { CloseCode } from "@idewire/core/rpc";
import type { Authorized, RequestHead } from "@idewire/http";
import { isSameToken } from "../loopback-server/token.ts";
import type { ListenMcpOptions } from "../mcp/listen-mcp.ts";
import { McpHttpServer } from "../mcp/mcp-http-server.ts";
import type { AgentEndpoint, AgentEndpointOptions } from "./agent-endpoint.ts";

/** How long the session of an agent lasts after its last stream and request. */
const IDLE_MS = 30_000;
/** How long an agent is told to wait when the editor closes: it is back soon after a restart. */
const RETRY_MS = 3_000;
const KEEP_ALIVE_MS = 5_000;

/** One port on which agents that have the token reach one IdeServer by Streamable HTTP. */
export class HttpAgentEndpoint implements AgentEndpoint {
  readonly #ide: IdeServer;
  readonly #options: AgentEndpointOptions;
  readonly #server: McpHttpServer<undefined>;
  readonly #admitting: Promise<void>;
  #admit: () => void = () => undefined;

  constructor(ide: IdeServer, options: AgentEndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    this.#admitting = new Promise((resolve) => {
      this.#admit = resolve;
    });
    const { limits, policy } = options;
    const serving: ListenMcpOptions<undefined> = {
      authorize: (head) => this.#authorize(head),
      allowedHosts: policy.allowedHosts,
      // No agent is a web page.
      allowedOrigins: [],
      limits: {
        ...{ maxSessions: limits.maxConnections, maxBodyBytes: limits.maxFrameBytes },
        ...{ sessionIdleMs: IDLE_MS, keepAliveMs: KEEP_ALIVE_MS },
      },
    };
    this.#server = new McpHttpServer<undefined>(ide.legacy, serving, { retryMs: RETRY_MS });
  }

  listen(port: number): Promise<number> {
    return this.#server.listen({ host: this.#options.address, port });
  }

  urlAt(host: string, port: number): string {
    return `http://${host}:${port}/mcp`;
  }

  admit(): void {
    this.#admit();
  }

  async close(): Promise<void> {
    this.#admit();
    await this.#server.close();
    this.#ide.close(CloseCode.GoingAway, "The editor has closed");
  }

  #authorize(head: RequestHead): Authorized<undefined> | Promise<Authorized<undefined>> {
    const [, given = ""] = /^Bearer (\S+)$/i.exec(head.header("authorization") ?? "") ?? [];
    if (isSameToken(given, this.#options.token)) {
      return this.#admitting.then(() => ({ context: undefined }));
    }
    void this.#admitting.then(this.#options.onrefused);
    return {
      status: 401,
      message: "The bearer token is missing or wrong",
      headers: { "www-authenticate": "Bearer" },
    };
  }
}
