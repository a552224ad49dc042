import { formatRequest } from "@idewire/core/internal";
import type { InspectionFacts, PageClient } from "@idewire/devtools/internal";
import { EventLog } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import { LiveSocket } from "../live/live-socket.ts";
import { exactJson } from "../state/exact-json.ts";
import type { PageModel } from "../state/page-model.ts";
import type { LinkedInspection } from "../state/server-link.ts";
import { Connections } from "./connections.ts";

/** The inspection as idewire describes it. */
export interface InspectFacts extends InspectionFacts {
  /** The folder in which agents are started. */
  readonly folder: string;
}

/** Shows an inspection. */
interface InspectView {
  showInspector(inspector: Inspector, log: EventLog, before: number): void;
}

/** The frames between agents and an editor, as idewire forwards them. */
export class Inspector implements LinkedInspection {
  readonly facts: Signal<InspectFacts | undefined> = signal(undefined);
  /** The reason why something was not sent. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  /** The time of day at time 0 of the log, in milliseconds since 1970. */
  startedMs: number | undefined;
  connections = new Connections();
  readonly #view: InspectView;
  readonly link: LiveSocket;

  constructor(view: InspectView) {
    this.#view = view;
    this.link = new LiveSocket({
      listen: (client) => this.#listen(client),
      enter: ({ folder, began, inspection }) => {
        this.startedMs = began;
        if (inspection !== undefined) this.#learn({ ...inspection, folder });
        return inspection !== undefined;
      },
      fail: (words) => {
        this.problem.value = words;
      },
    });
    this.link.open();
  }

  /** As an agent, the page may send anything; between an agent and an editor, nothing. */
  get canSend(): boolean {
    return this.facts.value?.mode === "agent";
  }

  /** Sends a frame to the editor as it is. @returns whether it was sent */
  async send(frame: string): Promise<boolean> {
    this.problem.value = undefined;
    const answer = await this.link.ask((client) => client.request("inspect/send", { frame }));
    if (answer?.sent === false)
      this.problem.value = "The editor is not connected: nothing was sent.";
    return answer?.sent === true;
  }

  /**
   * Sends a request.
   * @returns its id; undefined if it was not sent
   */
  async request(
    method: string,
    params?: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    // Not one of another client, and of each page its own.
    const id = `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    return (await this.send(formatRequest(id, method, params, exactJson))) ? id : undefined;
  }

  #listen(client: PageClient): (before: number) => void {
    const log = new EventLog();
    const connections = new Connections();
    log.on("append", (event) => connections.add(event));
    client.on("live/events", ({ events, inspection }) => {
      const { folder } = this.facts.value ?? {};
      if (inspection !== undefined && folder !== undefined) this.#learn({ ...inspection, folder });
      for (const event of events) log.adopt(event);
    });
    return (before) => {
      this.connections = connections;
      this.#view.showInspector(this, log, before);
    };
  }

  #learn(facts: InspectFacts): void {
    if (JSON.stringify(facts) === JSON.stringify(this.facts.value)) return;
    this.facts.value = facts;
    document.title = `${facts.editor.name} - idewire inspect`;
  }
}

/** The inspection that idewire serves, if any. */
export function inspectorOf({ inspector }: PageModel): Inspector | undefined {
  return inspector instanceof Inspector ? inspector : undefined;
}
