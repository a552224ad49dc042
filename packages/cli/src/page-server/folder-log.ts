import { setImmediate } from "node:timers";
import {
  type DiffRequest,
  Emitter,
  isInside,
  type OpenDocument,
  type PosixPath,
  type Unsubscribe,
} from "@idewire/core";
import { agentTitle, relativeTo } from "@idewire/core/internal";
import type { Transport } from "@idewire/core/rpc";
import {
  createRedactor,
  type EditorChange,
  EventRecorder,
  MAX_TEXT_UNITS,
} from "@idewire/devtools/internal";
import {
  EventLog,
  recordTransport,
  type TraceEvent,
  type TraceFact,
} from "@idewire/devtools/trace";
import type { IdeEndpoint, IdeListener } from "@idewire/node-server";
import type { ConnectionOrigin } from "@idewire/node-server/internal";
import {
  describeHabit,
  describeUnreviewed,
  isOurs,
  isReviewer,
  OwnConnections,
  platform,
} from "@idewire/node-server/internal";
import type { FolderHost, PendingDiff } from "../folder-host/index.ts";
import { AgentSessions } from "./agent-sessions.ts";
import { withoutProbes } from "./without-probes.ts";

/** How much is stored for pages that are opened later. */
const KEPT = { maxEvents: 20_000, maxUnits: 16_000_000 };

/** The logged state of a document. */
interface SentDocument {
  readonly text: string | undefined;
  readonly dirty: boolean;
}

/** All events of a folder and its traffic with agents, as a log for the page. Tokens are never recorded. */
export class FolderLog {
  readonly log: EventLog = new EventLog(KEPT);
  /** Connections of this process itself, which are left out of the log. */
  readonly own: OwnConnections = new OwnConnections();
  /** The agents, for a page's list. */
  readonly sessions: AgentSessions;
  readonly #host: FolderHost;
  readonly #undo: (() => void)[];
  readonly #recorder = new EventRecorder({
    redactor: createRedactor({ only: ["token"] }),
    take: (event) => this.#keep(event),
    defer: setImmediate,
  });
  readonly #notices = new Emitter<{ notice(words: string): void }>();
  /** The event of the newest text of each file. */
  readonly #texts = new Map<string, number>();
  /** The open connections, each with the event that opened it. */
  readonly #open = new Map<string, number>();
  #sent = new Map<PosixPath, SentDocument>();
  #active: PosixPath | undefined;
  #selected = "";
  #connections = 0;
  #listener: IdeListener | undefined;
  /** Settles when all events of the host so far are in the log. */
  #work: Promise<void> = Promise.resolve();

  constructor(host: FolderHost) {
    this.#host = host;
    this.sessions = new AgentSessions(host);
    this.#undo = [
      host.on("documents", () => this.#later(() => this.#emitDocuments())),
      host.on("selection", () => this.#later(async () => this.#emitSelection())),
      host.on("diagnostics", (paths) => this.#later(() => this.#emitDiagnostics(paths))),
      host.onDiff("diffOpened", (diff) => this.#change(this.#reviewOpened(diff))),
      host.onDiff("diffChanged", (diff) => this.#change(this.#reviewOpened(diff))),
      host.onDiff("diffClosed", ({ request: { id } }, { kind: outcome }, by) =>
        this.#change({ kind: "review-closed", id, outcome, by }),
      ),
    ];
  }

  /** For `listenIde`: logs the traffic of each agent. */
  readonly wrapTransport = (transport: Transport, { port }: ConnectionOrigin): Transport => {
    this.sessions.nameNext(undefined);
    if (this.own.has(port)) return transport;
    this.#connections += 1;
    const ch = `c${this.#connections}`;
    const log = withoutProbes({ append: (fact) => this.#append(fact) });
    this.sessions.nameNext(ch);
    return recordTransport(transport, { log, ch, sends: "ide>agent" });
  };

  /** The lock files of the folder; none before it is offered to agents. */
  get endpoints(): readonly IdeEndpoint[] {
    return this.#listener?.endpoints ?? [];
  }

  /** The address for agents; undefined before the folder is offered to them. */
  get listener(): IdeListener | undefined {
    return this.#listener;
  }

  /** Logs which agents connect and disconnect. */
  watch(listener: IdeListener): void {
    this.#listener = listener;
    this.sessions.watch(listener);
    const print = (text: string): void => this.#append({ ev: "transcript", text, who: "idewire" });
    this.#undo.push(
      listener.on("initialized", ({ agent }) => {
        if (isOurs(agent) || isReviewer(agent)) return;
        print(`${agentTitle(agent)} ${agent?.version ?? ""} has connected.`);
        const habit = describeHabit(agent, listener.sessions);
        if (habit !== "") this.notice(habit.replace(/^It/, agentTitle(agent)));
      }),
      listener.on("unreviewed", (session, writes) => {
        this.notice(describeUnreviewed(session, writes, (path) => this.nameOf(path)));
      }),
      listener.on("disconnected", ({ agent }) => {
        // A client without a name was never announced.
        if (agent === undefined || isOurs(agent) || isReviewer(agent)) return;
        print(`${agentTitle(agent)} has disconnected.`);
      }),
    );
  }

  /** Called with urgent notices for the person, which are also in the log. */
  onNotice(listener: (words: string) => void): Unsubscribe {
    return this.#notices.on("notice", listener);
  }

  /** Shows the person words, at once and in the log. */
  notice(text: string): void {
    this.#append({ ev: "transcript", text, who: "idewire" });
    this.#notices.emit("notice", text);
  }

  /** Waits until all events of the host so far are in the log. */
  async flush(): Promise<void> {
    await this.#work;
    await this.#recorder.flush();
  }

  /** The editor's current state, for a page that joins. */
  async current(): Promise<readonly TraceFact[]> {
    await this.flush();
    const changes: EditorChange[] = [];
    for (const document of byFocus(this.#host.documents())) {
      const sent = this.#sent.get(document.path);
      if (sent === undefined) continue;
      changes.push(...this.#textOf(document, sent), { kind: "opened", path: document.label });
      const [found] = (await this.#host.diagnostics?.(document.path)) ?? [];
      const { diagnostics = [] } = found ?? {};
      changes.push({ kind: "diagnostics", path: document.label, diagnostics });
    }
    const selected = this.#selection();
    if (selected !== undefined) changes.push(selected);
    changes.push(...this.#host.pendingDiffs.map((diff) => this.#reviewOpened(diff)));
    const isForgotten = ([, n]: readonly [string, number]) => n <= this.log.dropped;
    const open = [...this.#open].filter(isForgotten);
    return [
      ...open.map(([ch]): TraceFact => ({ ev: "open", ch })),
      ...changes.map((change): TraceFact => ({ ev: "editor", change })),
    ];
  }

  /** Whether a connection with this name is open. */
  isOpen(ch: string): boolean {
    return this.#open.has(ch);
  }

  close(): void {
    this.sessions.close();
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** Sequential, so that no older state follows a newer one. */
  #later(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => undefined);
  }

  async #emitDocuments(): Promise<void> {
    const documents = this.#host.documents();
    const open = new Set(documents.map(({ path }) => path));
    for (const path of this.#sent.keys()) {
      if (open.has(path)) continue;
      this.#sent.delete(path);
      this.#change({ kind: "closed", path: this.nameOf(path) });
    }
    for (const document of documents) await this.#emitDocument(document);
    const active = documents.find((document) => document.active);
    if (active === undefined || active.path === this.#active) return;
    this.#active = active.path;
    this.#change({ kind: "opened", path: active.label });
  }

  async #emitDocument(document: OpenDocument): Promise<void> {
    const { path, label, dirty } = document;
    const before = this.#sent.get(path);
    const text = await this.#host.read(path).catch(() => undefined);
    const sent = { text, dirty };
    if (before?.text === text && before?.dirty === dirty && before !== undefined) return;
    this.#sent.set(path, sent);
    for (const change of this.#textOf(document, sent)) this.#change(change);
    if (before !== undefined) return;
    this.#change({ kind: "opened", path: label });
    this.#active = path;
    this.#later(() => this.#emitDiagnostics([path]));
  }

  #textOf({ label }: OpenDocument, { text, dirty }: SentDocument): readonly EditorChange[] {
    if (text === undefined || text.length > MAX_TEXT_UNITS) return [];
    return [{ kind: "text", path: label, text, unsaved: dirty }];
  }

  #emitSelection(): void {
    const selected = this.#selection();
    const now = JSON.stringify(selected);
    if (selected === undefined || now === this.#selected) return;
    this.#selected = now;
    this.#change(selected);
  }

  #selection(): EditorChange | undefined {
    const selection = this.#host.selection("current");
    const range = selection?.ranges[selection.primary];
    if (selection === undefined || range === undefined) return undefined;
    const { start, end } = range;
    return { kind: "selected", path: this.nameOf(selection.path), range: { start, end } };
  }

  async #emitDiagnostics(paths: readonly PosixPath[]): Promise<void> {
    for (const path of paths.slice(0, 200)) {
      const [found] = (await this.#host.diagnostics?.(path)) ?? [];
      const { diagnostics = [] } = found ?? {};
      this.#change({ kind: "diagnostics", path: this.nameOf(path), diagnostics });
    }
  }

  #reviewOpened({ request, current, base, unreadable, notes }: PendingDiff): EditorChange {
    const { id, title, proposed } = request;
    const path = this.#nameOfDiff(request, current, unreadable);
    const texts = { original: current ?? "", proposed };
    const outside = request.outsideWorkspace && ({ outside: true } as const);
    const facts = { ...(base !== undefined && { base }), ...(notes && { notes }), ...outside };
    return { kind: "review-opened", id, path, title, ...texts, ...facts };
  }

  #nameOfDiff(request: DiffRequest, current?: string, unreadable?: string): string {
    const name = this.nameOf(request.path);
    if (unreadable !== undefined) return `${name} (cannot be compared: ${unreadable})`;
    return current === undefined ? `${name} (a new file)` : name;
  }

  /** The path of a file for the page: relative to the folder. */
  nameOf(path: PosixPath): string {
    const { folder } = this.#host;
    return isInside(folder, path, platform) ? relativeTo(folder, path) : path;
  }

  #change(change: EditorChange): void {
    this.#append({ ev: "editor", change });
  }

  /** The person's own files are not redacted; the events of agents are. */
  #append(fact: TraceFact): void {
    // The log assigns a new number.
    this.#recorder.add({ n: 0, t: this.log.nowMs, ...fact }, fact.ev === "editor");
  }

  #keep(event: TraceEvent): void {
    const { n } = this.log.adopt(event);
    if (event.ev === "editor" && event.change.kind === "text") {
      this.#replaceText(event.change.path, n);
    }
    if (event.ev === "open") this.#open.set(event.ch, n);
    if (event.ev === "close") this.#open.delete(event.ch);
  }

  /** Each change contains the whole text: only the newest is stored, or it would displace all other events. */
  #replaceText(path: string, n: number): void {
    const before = this.#texts.get(path);
    this.#texts.set(path, n);
    if (before === undefined) return;
    this.log.lighten(before, { ev: "editor", change: { kind: "text", path, text: "" } });
  }
}

/** The one with the focus last. */
function byFocus(documents: readonly OpenDocument[]): readonly OpenDocument[] {
  return documents.toSorted((a, b) => a.lastFocusedMs - b.lastFocusedMs);
}
