import { formatRequest, type RequestId } from "@idewire/core/internal";
import type {
  EditorInspectionFacts,
  InspectedServerFacts,
  InspectionFacts,
  OpenedApp,
  PageClient,
  PageMethods,
} from "@idewire/devtools/internal";
import { EventLog } from "@idewire/devtools/trace";
import { batch, type Signal, signal } from "@preact/signals";
import type { SocketListener } from "../live/live-socket.ts";
import { exactJson } from "../state/exact-json.ts";
import type { PageModel } from "../state/page-model.ts";
import type { LinkedInspection, ServerLink } from "../state/server-link.ts";
import { Connections } from "./connections.ts";
import { keyOf, type ServerItem } from "./server-item.ts";

/** The inspection as idewire describes it. */
export type InspectFacts = InspectionFacts & {
  /** The folder in which agents are started. */
  readonly folder: string;
};

/** An inspected editor, as idewire describes it. */
export type EditorFacts = EditorInspectionFacts & { readonly folder: string };

/** A request of this page. */
export interface PageRequest {
  readonly key: string;
  /** The server that it was sent to; undefined for an editor. */
  readonly server: string | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Its id and its connection in the log; undefined before it is sent. */
  readonly sent: Signal<{ readonly id: RequestId; readonly ch?: string } | undefined>;
  /** Why there is no answer. */
  readonly failure: Signal<string | undefined>;
}

/** The views of an MCP server. */
export type ServerTab = "tools" | "model" | "prompts" | "resources" | "tasks" | "log" | "roots";

/** A call that the person wants to edit. */
export interface EditedCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: unknown;
}

/** A person may be asked in between. */
const PATIENT = { timeoutMs: Number.POSITIVE_INFINITY };

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
  /** The name of the MCP server that is shown; the first one when left out. */
  readonly shown: Signal<string | undefined> = signal(undefined);
  /** The open view of the server. */
  readonly tab: Signal<ServerTab> = signal("tools");
  /** A call to be edited in the form of its tool; each is a new object. */
  readonly edited: Signal<EditedCall | undefined> = signal(undefined);
  /** The newest request of this page about each tool, prompt and resource, by {@link keyOf}. */
  readonly #newest: Signal<ReadonlyMap<string, PageRequest>> = signal(new Map());
  /** The requests to MCP servers that have not ended. */
  readonly #requests = new Map<string, PageRequest>();
  /** The pending log entries of apps, in order. */
  #ofApps: Promise<unknown> = Promise.resolve();
  readonly #view: InspectView;
  readonly link: ServerLink;

  /** @param createLink creates the link to the inspection, which the inspector opens */
  constructor(
    view: InspectView,
    createLink: (listener: SocketListener) => ServerLink & { open(): void },
  ) {
    this.#view = view;
    const link = createLink({
      listen: (client) => this.#listen(client),
      enter: ({ folder, began, inspection }) => {
        this.startedMs = began;
        if (inspection !== undefined) this.#setFacts({ ...inspection, folder });
        return inspection !== undefined;
      },
      fail: (words) => {
        this.problem.value = words;
      },
    });
    this.link = link;
    link.open();
  }

  /** The inspected editor; undefined when MCP servers are inspected. */
  get editor(): EditorFacts | undefined {
    const facts = this.facts.value;
    return facts?.mode === "server" ? undefined : facts;
  }

  get isClient(): boolean {
    return this.facts.value?.mode === "server";
  }

  /** The inspected MCP servers. */
  get servers(): readonly InspectedServerFacts[] {
    const facts = this.facts.value;
    return facts?.mode === "server" ? facts.servers : [];
  }

  /** The shown MCP server. */
  get server(): InspectedServerFacts | undefined {
    const { servers } = this;
    return servers.find(({ name }) => name === this.shown.value) ?? servers[0];
  }

  /** The server of a connection. */
  serverOf(ch: string): InspectedServerFacts | undefined {
    return this.servers.find((server) => server.ch === ch);
  }

  /** As an agent or a client, the page may send anything; between an agent and an editor, nothing. */
  get canSend(): boolean {
    const mode = this.facts.value?.mode;
    return mode === "agent" || mode === "server";
  }

  /** Sends a frame as it is, to the editor or the server of a connection. @returns whether it was sent */
  async send(frame: string, ch?: string): Promise<boolean> {
    this.problem.value = undefined;
    const to = ch === undefined ? {} : { ch };
    const answer = await this.link.ask((client) =>
      client.request("inspect/send", { frame, ...to }),
    );
    if (answer?.sent === false) {
      const what = this.editor === undefined ? "server of this connection" : "editor";
      this.problem.value = `The ${what} is not connected: nothing was sent.`;
    }
    return answer?.sent === true;
  }

  /** Sends a request to the editor, or to an MCP server. */
  ask(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    server: string | undefined = this.server?.name,
  ): PageRequest {
    // Not an id of another client, and of each page its own.
    const key = `page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
    const request = {
      key,
      server,
      method,
      params,
      sent: signal(),
      failure: signal(),
    } as PageRequest;
    this.problem.value = undefined;
    void (server === undefined ? this.#sendToEditor(request) : this.#sendToServer(request, server));
    return request;
  }

  /** Sends a server a request about one of its items, and keeps it for {@link Inspector.newestAbout}. */
  askAbout(item: ServerItem, params: Readonly<Record<string, unknown>>): void {
    const request = this.ask(item.method, params, item.server);
    this.#newest.value = new Map(this.#newest.peek()).set(keyOf(item), request);
  }

  /** The newest request about an item of a server, whichever items and views were opened since. */
  newestAbout(item: ServerItem): PageRequest | undefined {
    return this.#newest.value.get(keyOf(item));
  }

  /** Opens a call in the form of its tool. */
  edit(call: EditedCall): void {
    batch(() => {
      this.shown.value = call.server;
      this.tab.value = "tools";
      this.edited.value = call;
    });
  }

  /** Cancels a request to an MCP server. */
  cancel({ key, server }: PageRequest): void {
    if (server === undefined) return;
    void this.link.ask((client) => client.request("inspect/cancel", { server, key }));
  }

  /** Answers a question of a server; without a result it is declined. @returns why the answer was refused */
  async answer(answer: PageMethods["inspect/answer"]["params"]): Promise<string | undefined> {
    this.problem.value = undefined;
    const done = await this.link.ask((client) => client.request("inspect/answer", answer));
    if (done !== undefined) return undefined;
    const { value } = this.problem;
    this.problem.value = undefined;
    return value;
  }

  /** Changes the settings that a server receives from its client. */
  async change(settings: PageMethods["inspect/settings"]["params"]): Promise<void> {
    this.problem.value = undefined;
    await this.link.ask((client) => client.request("inspect/settings", settings, PATIENT));
  }

  /** Connects to a server again. */
  async connect(server: string): Promise<void> {
    this.problem.value = undefined;
    await this.link.ask((client) => client.request("inspect/connect", { server }, PATIENT));
  }

  /** Serves the view of an MCP app to this page; undefined when the server has none at this URI. */
  openApp(server: string, uri: string): Promise<OpenedApp | undefined> {
    this.problem.value = undefined;
    return this.link.ask((client) => client.request("inspect/app", { server, uri }, PATIENT));
  }

  /** Logs a message between a view and this page; one at a time, however many there are. */
  logApp(frame: PageMethods["inspect/app-frame"]["params"]): void {
    this.#ofApps = this.#ofApps.then(() =>
      this.link.ask((client) => client.request("inspect/app-frame", frame)),
    );
  }

  /** Once the messages before have been logged. */
  closeApp(ch: string): void {
    this.#ofApps = this.#ofApps.then(() =>
      this.link.ask((client) => client.request("inspect/app-close", { ch })),
    );
  }

  async #sendToEditor(request: PageRequest): Promise<void> {
    const { key: id, method, params } = request;
    const frame = formatRequest(id, method, params, exactJson);
    if (await this.send(frame)) request.sent.value = { id };
    else request.failure.value = this.problem.value ?? "Nothing was sent.";
  }

  async #sendToServer(request: PageRequest, server: string): Promise<void> {
    const { key, method, params } = request;
    this.#requests.set(key, request);
    const json = params === undefined ? {} : { json: exactJson.stringify(params) };
    const ended = await this.link.ask((client) =>
      client.request("inspect/request", { server, key, method, ...json }, PATIENT),
    );
    this.#requests.delete(key);
    request.failure.value = ended === undefined ? this.problem.value : ended.failure;
  }

  #listen(client: PageClient): (before: number) => void {
    const log = new EventLog();
    const connections = new Connections();
    log.on("append", (event) => connections.add(event));
    client.on("live/events", ({ events, inspection }) => {
      const { folder } = this.facts.value ?? {};
      if (inspection !== undefined && folder !== undefined)
        this.#setFacts({ ...inspection, folder });
      for (const event of events) log.adopt(event);
    });
    client.on("inspect/facts", ({ inspection }) => {
      const { folder } = this.facts.value ?? {};
      if (folder !== undefined) this.#setFacts({ ...inspection, folder });
    });
    client.on("inspect/sent", ({ key, ch, id }) => {
      const request = this.#requests.get(key);
      if (request !== undefined) request.sent.value = { ch, id };
    });
    return (before) => {
      this.connections = connections;
      this.#view.showInspector(this, log, before);
    };
  }

  #setFacts(facts: InspectFacts): void {
    if (JSON.stringify(facts) === JSON.stringify(this.facts.value)) return;
    this.facts.value = facts;
    const { editor, servers } = this;
    const name = editor?.editor.name ?? servers.map((server) => server.name).join(", ");
    document.title = `${name} - Inspector - idewire`;
  }
}

/** The inspection that idewire serves, if any. */
export function inspectorOf({ inspector }: PageModel): Inspector | undefined {
  return inspector instanceof Inspector ? inspector : undefined;
}
