import { claudeCode } from "../ide/dialects/claude-code.ts";
import { IdeServer, type IdeServerOptions } from "../ide/session/ide-server.ts";
import type { IdeSession } from "../ide/session/ide-session.ts";
import type { CallToolResult } from "../mcp/content.ts";
import { type ManualClock, manualClock } from "../rpc/manual-clock.ts";
import { createMemoryTransportPair, type MemoryTransportEnd } from "../rpc/memory-transport.ts";
import type { RawMessage } from "../rpc/message.ts";
import { type FakeEditorHost, fakeEditorHost } from "./fake-editor-host.ts";
import { RawEnd } from "./raw-end.ts";

/** An agent played by a test in the manner of Claude Code. */
export class PlayedAgent {
  readonly session: IdeSession;
  readonly wire: RawEnd;
  readonly transport: MemoryTransportEnd;
  readonly #clock: ManualClock;
  #nextId = 0;

  constructor(server: IdeServer, clock: ManualClock) {
    const [left, right] = createMemoryTransportPair();
    this.session = server.open(left);
    this.transport = right;
    this.wire = new RawEnd(right);
    this.#clock = clock;
  }

  /** Sends `initialize` and `notifications/initialized`. */
  async shakeHands(name = "claude-code"): Promise<void> {
    const clientInfo = { name, version: "2.1.330" };
    this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    this.wire.notify("notifications/initialized");
    await this.take();
  }

  /**
   * Completes the handshake until it is ready for notifications; returns the messages that follow.
   */
  async getReady(name?: string): Promise<RawMessage[]> {
    await this.shakeHands(name);
    this.#clock.advance(300);
    return this.take();
  }

  /** Sends a request; returns its id. */
  request(method: string, params?: unknown): number {
    const id = this.#nextId;
    this.#nextId += 1;
    this.wire.request(id, method, params);
    return id;
  }

  /** Calls a tool; returns the id of the call. */
  start(name: string, args?: unknown): number {
    return this.request("tools/call", { name, arguments: args });
  }

  /** Calls a tool that answers without delay; returns the result. */
  async call(name: string, args: unknown = {}): Promise<CallToolResult> {
    const id = this.start(name, args);
    const answer = (await this.take()).find((message) => message.id === id);
    return answer?.result as CallToolResult;
  }

  /** Returns the messages received since the last call. */
  take(): Promise<RawMessage[]> {
    return this.wire.take();
  }
}

export interface IdeFixture {
  readonly host: FakeEditorHost;
  readonly server: IdeServer;
  readonly clock: ManualClock;
  /** The errors that the server has reported. */
  readonly errors: Error[];
  connect(): PlayedAgent;
}

/** Creates a server of a fake editor for agents in memory, with a manual clock. */
export function ideFixture(
  options: Partial<Omit<IdeServerOptions, "host">> = {},
  host: FakeEditorHost = fakeEditorHost(),
): IdeFixture {
  const clock = manualClock();
  const errors: Error[] = [];
  const server = new IdeServer({
    host,
    dialect: claudeCode,
    clock,
    peer: { onerror: (error) => void errors.push(error) },
    ...options,
  });
  return { host, server, clock, errors, connect: () => new PlayedAgent(server, clock) };
}
