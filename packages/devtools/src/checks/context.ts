import { type Clock, formatRequest, type Params } from "@idewire/core";
import type { EventLog } from "../trace/recording/event-log.ts";
import { CheckConnection, type Received } from "./check-connection.ts";
import type { CheckPort, ConnectAttempt, ConnectOutcome } from "./port.ts";
import { CheckFailed } from "./verdict.ts";

/** How long things may take, in milliseconds. */
export interface CheckTimes {
  /** An answer of the server. */
  readonly answerMs: number;
  /** What must not come is waited for so long. */
  readonly quietMs: number;
  /** The first notification after the handshake. */
  readonly noticeMs: number;
}

/** What a fresh agent hears by itself. */
export interface FirstSeconds {
  /** When the last list was asked for, and when it was answered. */
  readonly askedAt: number;
  readonly listedAt: number;
  /** Notifications of the server, oldest first. */
  readonly notices: readonly Received[];
}

/** What all checks of one run share. */
export interface CheckRun {
  readonly port: CheckPort;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly times: CheckTimes;
  /** What an agent hears first; looked at once. */
  firstSeconds: Promise<FirstSeconds> | undefined;
  /** Whether an agent is still answered once a second one is there; looked at once. */
  servesTwo: Promise<boolean> | undefined;
  /** Connections over which went what no agent says: their frames are judged by those checks alone. */
  readonly hostileChannels: Set<string>;
  channels: number;
}

/** A connection through whose handshake an agent went. */
export interface ReadyAgent {
  readonly talk: CheckConnection;
  readonly server: Params;
  /** The answer to `initialize`. */
  readonly greeting: Received;
  /** The answer to `tools/list`; undefined when the server has no tools. */
  readonly list: (Received & { readonly result: Params }) | undefined;
  cut(): void;
}

/** Protocol of Claude Code 2.1.330. */
export const AGENT_REVISION = "2025-11-25";

/** One check's view of the server: what it opens is closed, and what passes is its evidence. */
export class CheckContext {
  readonly run: CheckRun;
  readonly #isHostile: boolean;
  readonly #first: number;
  readonly #channels = new Set<string>();
  readonly #talks: CheckConnection[] = [];
  readonly #cited = new Set<number>();
  /** Events of a handshake that is not what the check is about. */
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

  /** Knocks, and writes down what became of it. */
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
    const { answerMs } = times;
    const talk = new CheckConnection(outcome.transport, { log, ch, clock, answerMs });
    this.#talks.push(talk);
    const ping = async () => {
      log.append({ ev: "control", ch, dir: "agent>ide", op: "ping" });
      await outcome.ping();
      log.append({ ev: "control", ch, dir: "ide>agent", op: "pong" });
    };
    return { ...outcome, ping, talk };
  }

  /** @throws CheckFailed when the door stays closed */
  async open(): Promise<OpenUpgrade> {
    const outcome = await this.upgrade();
    if (outcome.kind === "open") return outcome;
    throw new CheckFailed(`an agent with the right token was refused: ${describe(outcome)}`);
  }

  /** Connects and greets as Claude Code does (docs/clients/claude-code.md, Handshake). */
  async ready(): Promise<ReadyAgent> {
    const from = this.run.log.last + 1;
    const { talk, cut } = await this.open();
    const { result: server, ...greeting } = await talk.result("initialize", initializeParams());
    talk.notify("notifications/initialized");
    talk.notify("ide_connected", { pid: 1 });
    const hasTools = "tools" in Object(server["capabilities"]);
    const list = hasTools ? await talk.result("tools/list") : undefined;
    for (let n = from; n <= this.run.log.last; n += 1) this.#routine.add(n);
    return { talk, server, greeting, list, cut };
  }

  /**
   * An agent that has to be served whatever others do; undefined where the server serves only the
   * newest, which is the matter of a check of its own.
   */
  async witness(): Promise<ReadyAgent | undefined> {
    return (await this.servesTwo()) ? this.ready() : undefined;
  }

  servesTwo(): Promise<boolean> {
    this.run.servesTwo ??= this.#tryTwo();
    return this.run.servesTwo;
  }

  async #tryTwo(): Promise<boolean> {
    const first = await this.ready();
    const second = await this.ready();
    const ids = [first.talk.nextId(), second.talk.nextId()] as const;
    first.talk.send(formatRequest(ids[0], "ping"));
    await second.talk.request("ping", undefined, ids[1]);
    const find = () => first.talk.received.find(({ message }) => message.id === ids[0]);
    return (await first.talk.waitFor(find, this.times.quietMs * 2)) !== undefined;
  }

  /** Counts an event among the evidence, whoever saw it. */
  cite(...events: readonly (number | Received)[]): void {
    for (const event of events) this.#cited.add(typeof event === "number" ? event : event.n);
  }

  wait(ms: number): Promise<void> {
    const { clock } = this.run;
    return new Promise((resolve) => clock.setTimeout(resolve, ms));
  }

  /** The numbers of the events that tell what happened, the first and the last of many. */
  get evidence(): readonly number[] {
    const { log } = this.run;
    const own = log.events.filter((event) => {
      const isOwn = "ch" in event && this.#channels.has(event.ch) && event.ev !== "open";
      return isOwn && event.n >= this.#first && !this.#routine.has(event.n);
    });
    const all = [...new Set([...this.#cited, ...own.map(({ n }) => n)])].sort((a, b) => a - b);
    return all.length <= 16 ? all : [...all.slice(0, 4), ...all.slice(-12)];
  }

  /** Closes what is open. */
  close(): void {
    for (const talk of this.#talks) talk.close();
  }
}

/** An open door, and somebody to talk with behind it. */
export type OpenUpgrade = Extract<ConnectOutcome, { readonly kind: "open" }> & {
  readonly talk: CheckConnection;
};

export type UpgradeOutcome = OpenUpgrade | Exclude<ConnectOutcome, { readonly kind: "open" }>;

export function initializeParams(protocolVersion: string = AGENT_REVISION): Params {
  return {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "claude-code", title: "idewire check", version: "2.1.330" },
  };
}

/** What became of an attempt, in words. */
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
