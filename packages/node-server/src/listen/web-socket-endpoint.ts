import type { IncomingMessage } from "node:http";
import type { IdeServer, IdeSession } from "@idewire/core";
import { CloseCode, type Peer, type Transport } from "@idewire/core/rpc";
import {
  BAD_TOKEN,
  hasToken,
  inspectRequest,
  SUB_PROTOCOL,
  toLastAnswer,
} from "../loopback-server/handshake.ts";
import { isHandshake } from "../loopback-server/last-answer.ts";
import { LoopbackServer, type Upgrade, type Verdict } from "../loopback-server/loopback-server.ts";
import {
  CLOSE_TIMEOUT_MS,
  type ServedClient,
  WebSocketClients,
} from "../loopback-server/web-socket-clients.ts";
import { processFacts } from "../process/process-facts.ts";
import type { AgentEndpoint, AgentEndpointOptions, EndpointPlace } from "./agent-endpoint.ts";

/** One port on which agents that have the token reach one IdeServer by WebSocket. */
export class WebSocketEndpoint implements AgentEndpoint {
  readonly #ide: IdeServer;
  readonly #options: AgentEndpointOptions;
  readonly #server: LoopbackServer<undefined>;
  readonly #clients: WebSocketClients;
  /** The clients waiting for {@link admit}; undefined from then on. */
  #waiting: (() => void)[] | undefined = [];

  constructor(ide: IdeServer, options: AgentEndpointOptions) {
    this.#ide = ide;
    this.#options = options;
    const { limits, budget } = options;
    this.#clients = new WebSocketClients({ protocol: SUB_PROTOCOL, limits, budget });
    this.#server = new LoopbackServer({
      headTimeoutMs: limits.handshakeTimeoutMs,
      admit: (request) => this.#judge(request),
      onupgrade: (_, upgrade) => this.#whenAdmitting(() => this.#accept(upgrade)),
    });
  }

  /** @throws IdewireError `port-in-use`, `invalid-argument` */
  async listen(place: EndpointPlace): Promise<EndpointPlace> {
    return { port: await this.#server.listen({ ...place, host: this.#options.address }) };
  }

  urlAt(host: string, { port }: EndpointPlace): string {
    return `ws://${host}:${port}`;
  }

  /** Admits clients, including those already waiting: until this is called, every client waits. */
  admit(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const act of waiting) act();
  }

  /** Stops listening, and waits until every client has disconnected or was cut off. */
  close(): Promise<void> {
    this.#clients.close();
    this.#ide.close(CloseCode.GoingAway, "The editor has closed");
    return this.#server.close(CLOSE_TIMEOUT_MS);
  }

  /** A client without the token gets the reason, and no more than its head is read. */
  #judge(request: IncomingMessage): Verdict<undefined> {
    const { policy, token, limits } = this.#options;
    const refusal = inspectRequest(request, policy);
    if (refusal !== undefined) return toLastAnswer(refusal);
    if (!hasToken(request.headers, token)) return this.#refuseToken(request);
    if (this.#server.upgradedCount < limits.maxConnections) return { client: undefined };
    const message = `${limits.maxConnections} clients are connected, which is the limit`;
    return toLastAnswer({ status: 503, message });
  }

  #refuseToken(request: IncomingMessage): Verdict<undefined> {
    if (!isHandshake(request)) {
      const message = "Expected the handshake of a WebSocket, version 13";
      return toLastAnswer({ status: 400, message });
    }
    const waits = this.#waiting?.length ?? 0;
    if (waits < this.#options.limits.maxConnections) this.#whenAdmitting(this.#options.onrefused);
    const close = { code: CloseCode.PolicyViolation, reason: BAD_TOKEN };
    const isOffered = request.headers["sec-websocket-protocol"] !== undefined;
    return isOffered ? { ...close, protocol: SUB_PROTOCOL } : close;
  }

  #whenAdmitting(act: () => void): void {
    if (this.#waiting === undefined) act();
    else this.#waiting.push(act);
  }

  #accept(upgrade: Upgrade): void {
    if (!upgrade.socket.destroyed) this.#clients.accept(upgrade, this.#opener(upgrade));
  }

  /** A separate method, as all closures of a function retain the variables captured by any of them. */
  #opener({ socket }: Upgrade): (transport: Transport) => ServedClient {
    const { wrapTransport } = this.#options;
    const dialect = this.#ide.dialect.id;
    return (transport) => {
      // Reading the port makes the socket retain its address.
      const wrapped = wrapTransport?.(transport, { dialect, port: socket.remotePort });
      const session = this.#ide.open(wrapped ?? transport);
      return new ServedAgent(session, this.#options);
    };
  }
}

/** An agent as a client of the server. */
class ServedAgent implements ServedClient {
  readonly #session: IdeSession;
  readonly #options: AgentEndpointOptions;

  constructor(session: IdeSession, options: AgentEndpointOptions) {
    this.#session = session;
    this.#options = options;
  }

  get peer(): Peer {
    return this.#session.connection.peer;
  }

  overdue(ageMs: number): string | undefined {
    const { handshakeTimeoutMs } = this.#options.limits;
    if (this.#session.agent !== undefined || ageMs <= handshakeTimeoutMs) return undefined;
    return `No initialize in ${handshakeTimeoutMs} ms`;
  }

  /** A CLI that was stopped by Ctrl-Z answers nothing until it continues; any other silent one is dead. */
  isSuspended(): boolean {
    const { pid } = this.#session;
    return this.#options.seesAgents && pid !== undefined && processFacts(pid)?.isStopped === true;
  }
}
