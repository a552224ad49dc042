import { formatRequest } from "@idewire/core/internal";
import type { Clock, Params } from "@idewire/core/rpc";
import type { EventLog } from "../trace/recording/event-log.ts";
import { CheckConnection, type Received } from "./check-connection.ts";
import type { CheckPort, ConnectAttempt, ConnectOutcome, HttpAnswer, HttpProbe } from "./port.ts";
import type { CheckedServer } from "./server/checked-server.ts";
import { CheckFailed } from "./verdict.ts";

/** How long things may take, in milliseconds. */
export interface CheckTimes {
  /** How long an answer of the server may take. */
  readonly answerMs: number;
  /** How long the first answer on a connection may take; as other answers when left out. */
  readonly startMs?: number;
  /** How long to wait for unwanted messages. */
  readonly quietMs: number;
  /** How long the first notification after the handshake may take. */
  readonly noticeMs: number;
  /** How long to wait for the person to accept a diff; 0 leaves out the checks that need it. */
  readonly personMs: number;
}

/** Unsolicited messages to a newly connected agent. */
export interface FirstSeconds {
  /** When the last list was requested; milliseconds since the log began. */
  readonly lastRequestAt: number;
  readonly listedAt: number;
  /** Notifications of the server, oldest first. */
  readonly notices: readonly Received[];
}

/** The state that all checks of a run share. */
export interface CheckRun {
  readonly port: CheckPort;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly times: CheckTimes;
  /** The first messages to an agent, observed once for all checks. */
  firstSeconds: Promise<FirstSeconds> | undefined;
  /** Whether an agent is still answered after a second one has connected; tried once. */
  servesTwo: Promise<boolean> | undefined;
  /** Connections of hostile checks: their frames count for those checks alone. */
  readonly hostileChannels: Set<string>;
  channels: number;
  /** The MCP server that is checked, in place of an editor. */
  readonly server?: CheckedServer;
  /** Whether calls may change something. */
  readonly destructive: boolean;
}

/** A connection after its handshake. */
export interface ReadyAgent {
  readonly connection: CheckConnection;
  readonly server: Params;
  /** The answer to `initialize`. */
  readonly initialized: Received;
  /** The answer to `tools/list`; undefined when the server has no tools. */
  readonly list: (Received & { readonly result: Params }) | undefined;
  readonly cut: () => void;
}

/** The revision requested by Claude Code 2.1.330. */
export const AGENT_REVISION = "2025-11-25";

/** One check's access to the server: it closes what the check opened, and collects the evidence. */
export class CheckContext {
  readonly run: CheckRun;
  readonly #isHostile: boolean;
  readonly #first: number;
  readonly #channels = new Set<string>();
  readonly #connections: CheckConnection[] = [];
  readonly #cited = new Set<number>();
  /** Events of handshakes, which are not evidence of the check. */
  readonly #routine = new Set<number>();

  constructor(run: CheckRun, isHostile = false) {
    this.run = run;
    this.#isHostile = isHostile;
    this.#first = run.log.last + 1;
  }

  get port(): CheckPort {
    return this.run.port;
  }

  get times(): CheckTimes {
    return this.run.times;
  }

  /** Tries to connect, and logs a refusal. */
  async upgrade(attempt: ConnectAttempt = {}): Promise<UpgradeOutcome> {
    const { port, log, clock, times } = this.run;
    this.run.channels += 1;
    const ch = `c${this.run.channels}`;
    this.#channels.add(ch);
    if (this.#isHostile) this.run.hostileChannels.add(ch);
    const outcome = await port.connect(attempt);
    if (outcome.kind !== "open") {
      log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text: describe(outcome) });
      return outcome;
    }
    const { startMs: answerMs = times.answerMs } = times;
    const connection = new CheckConnection(outcome.transport, { log, ch, clock, answerMs });
    this.#connections.push(connection);
    const ping = async () => {
      log.append({ ev: "control", ch, dir: "agent>ide", op: "ping" });
      await outcome.ping();
      log.append({ ev: "control", ch, dir: "ide>agent", op: "pong" });
    };
    return { ...outcome, ping, connection };
  }

  /** @throws CheckFailed when the server refuses */
  async open(): Promise<OpenUpgrade> {
    const { port } = this;
    const outcome = await this.upgrade();
    if (outcome.kind === "open") return outcome;
    const who = port.server === undefined ? "an agent with the right token" : "the client";
    throw new CheckFailed(`${who} was refused: ${describe(outcome)}`);
  }

  /** Connects and performs the handshake of Claude Code (docs/clients/claude-code.md, Handshake). */
  async ready(): Promise<ReadyAgent> {
    const from = this.run.log.last + 1;
    const { connection, cut } = await this.open();
    const { result: server, ...initialized } = await connection.result(
      "initialize",
      initializeParams(this.port),
    );
    connection.notify("notifications/initialized");
    if (this.port.agent === undefined) connection.notify("ide_connected", { pid: 1 });
    const hasTools = "tools" in Object(server["capabilities"]);
    const list = hasTools ? await connection.result("tools/list") : undefined;
    for (let n = from; n <= this.run.log.last; n += 1) this.#routine.add(n);
    return { connection, server, initialized, list, cut };
  }

  /**
   * An agent that must be served regardless of others; undefined if the server serves only the newest agent, which
   * a separate check covers.
   */
  async secondAgent(): Promise<ReadyAgent | undefined> {
    return (await this.servesTwo()) ? this.ready() : undefined;
  }

  servesTwo(): Promise<boolean> {
    this.run.servesTwo ??= this.#tryTwo();
    return this.run.servesTwo;
  }

  async #tryTwo(): Promise<boolean> {
    const first = await this.ready();
    const second = await this.ready();
    const ids = [first.connection.nextId(), second.connection.nextId()] as const;
    first.connection.send(formatRequest(ids[0], "ping"));
    await second.connection.request("ping", undefined, ids[1]);
    const find = () => first.connection.received.find(({ message }) => message.id === ids[0]);
    return (await first.connection.waitFor(find, this.times.quietMs * 2)) !== undefined;
  }

  /** The MCP server of the run. */
  get server(): CheckedServer {
    if (this.run.server === undefined) throw new TypeError("no MCP server is checked");
    return this.run.server;
  }

  /** Adds what a shared connection carries from now on to the evidence. */
  include(connection: CheckConnection): void {
    this.#channels.add(connection.ch);
  }

  /** Sends one HTTP request to an MCP server, and logs it. */
  async exchange(probe: HttpProbe): Promise<HttpAnswer> {
    const { log, port, hostileChannels } = this.run;
    this.run.channels += 1;
    const ch = `h${this.run.channels}`;
    this.#channels.add(ch);
    // Answers to such requests count for their own check alone.
    hostileChannels.add(ch);
    const line = `${probe.method} ${probe.url ?? ""}`.trim();
    log.append({ ev: "control", ch, dir: "agent>ide", op: "upgrade", text: line });
    if (probe.body !== undefined) {
      log.append({ ev: "frame", ch, dir: "agent>ide", raw: probe.body });
    }
    const answer = (await port.server?.exchange?.(probe)) ?? SILENT;
    const text = answer.kind === "silent" ? answer.message : `HTTP ${answer.status}`;
    log.append({ ev: "control", ch, dir: "ide>agent", op: "refused", text });
    return answer;
  }

  /** Adds events to the evidence, whichever connection they are from. */
  cite(...events: readonly (number | Received)[]): void {
    for (const event of events) this.#cited.add(typeof event === "number" ? event : event.n);
  }

  wait(ms: number): Promise<void> {
    const { clock } = this.run;
    return new Promise((resolve) => clock.setTimeout(resolve, ms));
  }

  /** The numbers of the events that are the evidence; of many, only the first and the last ones. */
  get evidence(): readonly number[] {
    const { log } = this.run;
    const own = log.events.filter((event) => {
      const isOwn = "ch" in event && this.#channels.has(event.ch) && event.ev !== "open";
      return isOwn && event.n >= this.#first && !this.#routine.has(event.n);
    });
    const all = [...new Set([...this.#cited, ...own.map(({ n }) => n)])].sort((a, b) => a - b);
    return all.length <= 16 ? all : [...all.slice(0, 4), ...all.slice(-12)];
  }

  /** Closes all connections. */
  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}

/** An accepted connection, with the agent's end of it. */
export type OpenUpgrade = Extract<ConnectOutcome, { readonly kind: "open" }> & {
  readonly connection: CheckConnection;
};

export type UpgradeOutcome = OpenUpgrade | Exclude<ConnectOutcome, { readonly kind: "open" }>;

/** The client facts that the agent of a port sends with `initialize`. */
export function initializeParams({ agent }: CheckPort, revision?: string): Params {
  const { name, version, ...client } = introductions[agent?.id ?? ""] ?? claudeCode;
  return {
    protocolVersion: revision ?? client.revision,
    capabilities: {},
    clientInfo: { name, title: "idewire check", version },
  };
}

const claudeCode = { name: "claude-code", version: "2.1.330", revision: AGENT_REVISION };

/** The clients over HTTP, as measured (docs/clients/README.md). */
const introductions: Readonly<Record<string, typeof claudeCode>> = {
  gemini: { name: "streamable-http-client", version: "0.61.0", revision: "2025-06-18" },
  qwen: { name: "streamable-http-client", version: "1.0.0", revision: AGENT_REVISION },
  copilot: { name: "copilot-cli", version: "1.0.102", revision: AGENT_REVISION },
};

const SILENT = { kind: "silent", message: "nothing was answered" } as const;

/** The outcome of an attempt as a text. */
export function describe(outcome: ConnectOutcome): string {
  switch (outcome.kind) {
    case "open":
      return "it was accepted";
    case "refused":
      return `HTTP ${outcome.status}`;
    default:
      return outcome.message;
  }
}
