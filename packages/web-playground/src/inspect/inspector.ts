import { isObject, type Peer } from "@idewire/core";
import { EventLog } from "@idewire/devtools/trace";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type LiveAnswer, LiveSocket, type LiveStatus, toEvents } from "../live/live-socket.ts";
import type { Session } from "../session.ts";
import { Connections } from "./connections.ts";

/** What is looked at, as idewire tells it. */
export interface InspectFacts {
  readonly mode: "proxy" | "agent";
  /** Where agents are started. */
  readonly folder: string;
  readonly editor: {
    readonly name: string;
    readonly host: string;
    readonly port: number;
    readonly pid?: number;
    readonly lockFile: string;
    readonly folders: readonly string[];
  };
  readonly proxy?: { readonly port: number; readonly lockFile: string };
}

/** What agents and an editor say to each other, as idewire passes it on. */
export class Inspector {
  readonly facts: Signal<InspectFacts | undefined> = signal(undefined);
  /** What could not be sent, and why. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  connections = new Connections();
  readonly #session: Session;
  readonly #socket: LiveSocket;

  constructor(session: Session) {
    this.#session = session;
    this.#socket = new LiveSocket({
      listen: (peer) => this.#listen(peer),
      enter: (answer) => this.#learn(answer),
      fail: (words) => {
        this.problem.value = words;
      },
    });
    this.#socket.open();
  }

  get status(): ReadonlySignal<LiveStatus> {
    return this.#socket.status;
  }

  /** What a person has to know of the status. */
  get words(): ReadonlySignal<string> {
    return this.#socket.words;
  }

  /** The connection, while there is one. */
  get peer(): Peer | undefined {
    return this.#socket.peer;
  }

  /** An agent of ours may say anything; between others nothing is said. */
  get canSend(): boolean {
    return this.facts.value?.mode === "agent";
  }

  /** Sends a frame to the editor as it is. */
  async send(frame: string): Promise<boolean> {
    return (await this.#say("inspect/send", { frame })) !== undefined;
  }

  /**
   * Sends a request of the person's.
   * @returns its id, by which it is found in the log; undefined when it was not sent
   */
  async request(method: string, params?: object): Promise<string | undefined> {
    const answer = await this.#say("inspect/request", { method, ...(params && { params }) });
    return answer === undefined ? undefined : String(answer["id"]);
  }

  /** An address for another tab; undefined when idewire cannot be asked. */
  createLink(): Promise<string | undefined> {
    return this.#socket.createLink();
  }

  #listen(peer: Peer): () => void {
    const log = new EventLog();
    const connections = new Connections();
    log.on("append", (event) => connections.add(event));
    peer.handle("live/events", ({ params = {} }) => {
      this.#learn(params);
      for (const event of toEvents(params["events"])) log.adopt(event);
      return {};
    });
    return () => {
      this.connections = connections;
      this.#session.showInspector(this, log);
    };
  }

  /** The bridge is our own, and of the same version: only its form is looked at. */
  #learn({ mode, folder, editor, proxy }: LiveAnswer): boolean {
    if (mode === undefined || !isObject(editor)) return false;
    const facts = { mode, folder, editor, ...(proxy !== undefined && { proxy }) };
    if (JSON.stringify(facts) === JSON.stringify(this.facts.value)) return true;
    this.facts.value = facts as unknown as InspectFacts;
    document.title = `${this.facts.value.editor.name} - idewire inspect`;
    return true;
  }

  async #say(method: string, params: object): Promise<LiveAnswer | undefined> {
    this.problem.value = undefined;
    const answer = await this.#socket.ask(method, params);
    if (answer === undefined || answer["sent"] === true) return answer;
    this.problem.value = "The editor is away: nothing was sent.";
    return undefined;
  }
}
