import type { IdeServer } from "@idewire/core";
import type { AgentFacts } from "@idewire/core/internal";
import { CloseCode } from "@idewire/core/rpc";
import type { Authorized, RequestHead } from "@idewire/http";
import { removeSocket } from "../files/private-socket.ts";
import { isSameToken } from "../loopback-server/token.ts";
import type { ListenMcpOptions } from "../mcp/listen-mcp.ts";
import { McpHttpServer } from "../mcp/mcp-http-server.ts";
import { isRunning } from "../process/liveness.ts";
import type { AgentEndpoint, AgentEndpointOptions, EndpointPlace } from "./agent-endpoint.ts";
import { HttpFrames } from "./http-frames.ts";
import { countDiffs } from "./http-session-memory.ts";
import { makePrivateSocket } from "./socket-place.ts";

/** How long the session of an agent lasts after its last stream and request. */
const IDLE_MS = 30_000;
/** The delay that an agent is asked for when the editor closes, which is back soon after a restart. */
const RETRY_MS = 3_000;
const KEEP_ALIVE_MS = 5_000;

/** One port, or one socket, on which agents that have the token reach one IdeServer by Streamable HTTP. */
export class HttpAgentEndpoint implements AgentEndpoint {
  readonly #ide: IdeServer;
  readonly #options: AgentEndpointOptions;
  readonly #server: McpHttpServer<AgentFacts>;
  #socketPath: string | undefined;
  readonly #admitting: Promise<void>;
  #admit: () => void = () => undefined;

  constructor(ide: IdeServer, options: AgentEndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    this.#admitting = new Promise((resolve) => {
      this.#admit = resolve;
    });
    const { limits, policy } = options;
    const serving: ListenMcpOptions<AgentFacts> = {
      authorize: (head) => this.#authorize(head),
      allowedHosts: policy.allowedHosts,
      // No agent is a web page.
      allowedOrigins: [],
      limits: {
        ...{ maxSessions: limits.maxConnections, maxBodyBytes: limits.maxFrameBytes },
        ...{ sessionIdleMs: IDLE_MS, keepAliveMs: KEEP_ALIVE_MS },
      },
    };
    countDiffs(ide, options.budget);
    const { wrapTransport, budget } = options;
    const origin = { dialect: ide.dialect.id, port: undefined };
    const served =
      wrapTransport === undefined
        ? ide.legacy
        : new HttpFrames(ide.legacy, wrapTransport, origin).server;
    this.#server = new McpHttpServer<AgentFacts>(served, serving, {
      ...{ retryMs: RETRY_MS, budget },
      isRunning: ({ pid }) =>
        pid === undefined || !options.seesAgents ? undefined : isRunning({ pid }),
    });
  }

  /** @throws IdewireError `port-in-use`, `invalid-argument`, `file-system` */
  async listen(place: EndpointPlace): Promise<EndpointPlace> {
    const port = await this.#server.listen({ host: this.#options.address, ...place });
    const { socketPath } = place;
    if (socketPath === undefined) return { port };
    this.#socketPath = socketPath;
    await makePrivateSocket(socketPath);
    return { socketPath };
  }

  urlAt(host: string, { port }: EndpointPlace): string {
    return port === undefined ? "http://localhost/mcp" : `http://${host}:${port}/mcp`;
  }

  admit(): void {
    this.#admit();
  }

  abandon(): void {
    if (this.#socketPath !== undefined) removeSocket(this.#socketPath);
  }

  async close(): Promise<void> {
    this.#admit();
    await this.#server.close();
    this.#ide.close(CloseCode.GoingAway, "The editor has closed");
  }

  #authorize(head: RequestHead): Authorized<AgentFacts> | Promise<Authorized<AgentFacts>> {
    const { scheme = "Bearer", identify } = this.#ide.dialect.endpoint;
    const [, used, given = ""] = /^(\w+) (\S+)$/.exec(head.header("authorization") ?? "") ?? [];
    const isOurs = used?.toLowerCase() === scheme.toLowerCase();
    if (isOurs && isSameToken(given, this.#options.token)) {
      const { session = "", pid } = identify?.((name) => head.header(name)) ?? {};
      const context = pid === undefined ? {} : { pid };
      return this.#admitting.then(() => ({ context, principal: session }));
    }
    void this.#admitting.then(this.#options.onrefused);
    return {
      status: 401,
      message: `The token (${scheme}) is missing or wrong`,
      headers: { "www-authenticate": scheme },
    };
  }
}
