import type { IdeSession, SharePolicy } from "@idewire/core";
import { DiffCalls } from "@idewire/core/internal";
import type { CloseReason } from "@idewire/core/rpc";
import type { SessionFacts } from "./protocol.ts";

/** An agent that is connected to the process that this one has joined. */
export class RemoteSession implements IdeSession {
  readonly id: string;
  readonly dialect: string;
  readonly continued: boolean;
  readonly writes = undefined;
  /** Empty here: each diff is a request to the editor. */
  readonly diffs: DiffCalls = new DiffCalls({});
  readonly closed: Promise<CloseReason>;
  readonly #share: () => SharePolicy;
  #facts: SessionFacts;
  #end: (reason: CloseReason) => void = () => {};

  constructor(facts: SessionFacts, share: () => SharePolicy) {
    this.id = facts.id;
    this.dialect = facts.dialect;
    this.continued = facts.continued;
    this.#facts = facts;
    this.#share = share;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  set facts(facts: SessionFacts) {
    this.#facts = facts;
  }

  get agent(): IdeSession["agent"] {
    return this.#facts.agent;
  }

  get pid(): number | undefined {
    return this.#facts.pid;
  }

  get title(): string | undefined {
    return this.#facts.title;
  }

  get ready(): boolean {
    return this.#facts.ready;
  }

  get takesMentions(): boolean {
    return this.#facts.takesMentions;
  }

  get clientKind(): string {
    return this.#facts.clientKind;
  }

  get share(): SharePolicy {
    return this.#share();
  }

  /** @throws Error always: the connection is another process's */
  get connection(): never {
    throw new Error("The agent is connected to another process");
  }

  /** The connection is the other process's to close. */
  close(): void {}

  /** The other process has what the agent has sent about itself. */
  identify(): void {}

  ended(reason: CloseReason): void {
    this.#end(reason);
  }
}
