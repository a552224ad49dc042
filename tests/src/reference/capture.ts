import { createIdeServer, type Dialect, type IdeServer, type IdeSession } from "@idewire/core";
import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import type { FakeEditorHost } from "@idewire/core/testing";
import { isObject, parseJson, type WireMessage } from "../reference-clients/wire.ts";
import { openContext } from "./context.ts";
import type { EventFacts } from "./event-facts.ts";
import type { Example } from "./facts.ts";

/** An editor of ours with an agent, whose frames are recorded. */
export interface CapturedContext {
  readonly host: FakeEditorHost;
  readonly session: IdeSession;
  /** Sends a notification as the agent. */
  notify(method: string, params: object): void;
  /** Calls a tool as the agent, and answers its diff as the person. */
  call(this: void, name: string, example: Example): Promise<Exchange>;
}

/** A request and its answer, as sent. */
export interface Exchange {
  readonly request: WireMessage;
  readonly answer: WireMessage;
}

/** The agent's end: sends the given frames, and records everything. */
export class Capture implements CapturedContext {
  readonly host: FakeEditorHost;
  readonly session: IdeSession;
  /** In both directions, in order. */
  readonly frames: WireMessage[] = [];
  readonly #ide: IdeServer;
  readonly #agent: Transport;
  #lastId = -1;
  #received: (() => void) | undefined;

  private constructor(dialect: Dialect) {
    this.host = openContext();
    this.#ide = createIdeServer({ host: this.host, dialect });
    const [editor, agent] = createMemoryTransportPair();
    this.#agent = agent;
    agent.onframe = (frame) => {
      this.#write(frame);
      this.#received?.();
    };
    this.session = this.#ide.open(editor);
  }

  /** Connects as an agent of this name, and waits until it receives notifications. */
  static async open(dialect: Dialect, agent = "claude-code"): Promise<Capture> {
    const capture = new Capture(dialect);
    await capture.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: agent, version: "2.1.330" },
    });
    capture.notify("notifications/initialized");
    await capture.#until(() => capture.session.ready);
    return capture;
  }

  notify(method: string, params?: object): void {
    this.#type({ jsonrpc: "2.0", method, ...(params && { params }) });
  }

  async request(method: string, params: object): Promise<Exchange> {
    this.#lastId += 1;
    const request = { jsonrpc: "2.0", id: this.#lastId, method, params };
    this.#type(request);
    const found = () => this.frames.find(({ id, method }) => id === request.id && !method);
    await this.#until(() => found() !== undefined);
    return { request, answer: found() as WireMessage };
  }

  /** Calls a tool, and answers its diff as the person. */
  readonly call = async (name: string, { args, person }: Example): Promise<Exchange> => {
    const exchange = this.request("tools/call", { name, arguments: args });
    if (person !== undefined) {
      await this.#until(() => this.host.shownDiffs.length > 0);
      this.host.answerDiff(this.host.shownDiffs[0]?.id ?? "", person);
    }
    return exchange;
  };

  /** The notification of an example. */
  async event({ method }: EventFacts, act: ((context: CapturedContext) => void) | undefined) {
    const before = act === undefined ? 0 : this.frames.length;
    act?.(this);
    const found = () => this.frames.slice(before).find((frame) => frame.method === method);
    await this.#until(() => found() !== undefined);
    return found() as WireMessage;
  }

  close(): void {
    this.#ide.close();
  }

  #type(message: object): void {
    const frame = JSON.stringify(message);
    this.#write(frame);
    this.#agent.send(frame);
  }

  #write(frame: string): void {
    const message = parseJson(frame)?.value;
    if (isObject(message)) this.frames.push(message);
  }

  async #until(isThere: () => boolean): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!isThere()) {
      if (Date.now() > deadline) throw new Error("the notification for the page did not arrive");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 10);
        this.#received = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
