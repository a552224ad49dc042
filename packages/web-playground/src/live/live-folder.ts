import { IdewireError, isObject, type Peer, type Range, RpcError } from "@idewire/core";
import { EventLog, type TraceEvent } from "@idewire/core/trace";
import { type Signal, signal } from "@preact/signals";
import type { Decision, Desk } from "../desk.ts";
import type { Session } from "../session.ts";
import { LiveSocket, type LiveStatus } from "./live-socket.ts";
import { TypedTexts } from "./typed-texts.ts";

/** How often the list of files is asked for while somebody looks. */
const LIST_MS = 10_000;

/** So long may it take whoever answers to say that it is idewire. */
const JOIN_MS = 10_000;
const STRANGER =
  "What answers at this address does not speak as idewire does. Is it another program, or another " +
  "version? Start idewire again and open its new link.";

/** Something that the person has to know. */
export interface Notice {
  readonly words: string;
  /** The file that has another text on the disk now: there is something to decide. */
  readonly stale?: string;
}

/** A folder behind a bridge, whose editor this page is. */
export class LiveFolder implements Desk {
  readonly status: Signal<LiveStatus> = signal("connecting");
  readonly words = signal("");
  /** The path of the folder. */
  readonly folder = signal("");
  readonly files: Signal<readonly string[]> = signal([]);
  /** There are more files than are listed. */
  readonly cut = signal(false);
  readonly notice: Signal<Notice | undefined> = signal(undefined);
  readonly #session: Session;
  readonly #socket: LiveSocket;
  readonly #texts = new TypedTexts((path, text, over) => this.#edit(path, text, over));
  /** The diffs that were answered here. */
  readonly #answered = new Set<string>();
  #peer: Peer | undefined;

  constructor(session: Session, ticket: string | undefined) {
    this.#session = session;
    this.#socket = new LiveSocket(ticket, {
      onpeer: (peer) => void this.#join(peer),
      onstatus: (status, words) => {
        this.#peer = undefined;
        this.status.value = status;
        this.words.value = words;
      },
    });
    window.addEventListener("pagehide", () => this.#texts.flushAll());
    window.addEventListener("focus", () => this.#list());
    window.setInterval(() => document.visibilityState === "visible" && this.#list(), LIST_MS);
    this.#socket.open();
  }

  /** The connection, while there is one. */
  get peer(): Peer | undefined {
    return this.#peer;
  }

  open(path: string): void {
    this.notice.value = undefined;
    void this.#ask("live/open", { path });
  }

  type(path: string, text: string): void {
    this.#texts.set(path, text, this.#session.state.peek().files.get(path));
  }

  typed(path: string): string | undefined {
    return this.#texts.get(path);
  }

  save(path: string): void {
    void this.#texts.flush(path).then(async () => {
      const outcome = await this.#ask("live/save", { path });
      if (outcome?.["saved"] !== false) return;
      const words = `Not saved: ${String(outcome["message"] ?? "idewire does not say why")}.`;
      const isStale = words.includes("changed on disk");
      this.notice.value = { words, ...(isStale && { stale: path }) };
    });
  }

  close(path: string): void {
    void this.#texts.flush(path).then(async () => {
      const outcome = await this.#ask("live/close", { path });
      if (outcome?.["closed"] !== false) return;
      this.notice.value = { words: `${path} has unsaved text. Save it before you close it.` };
    });
  }

  select(path: string, range: Range): void {
    void this.#texts.flush(path).then(() => this.#ask("live/select", { path, range }));
  }

  mention(path: string, lines?: { readonly start: number; readonly end: number }): void {
    const params = { path, ...(lines !== undefined && { lines }) };
    void this.#texts.flush(path).then(() => this.#ask("live/mention", params));
  }

  answer({ id, path }: { readonly id: string; readonly path: string }, decision: Decision): void {
    this.#answered.add(id);
    void this.#ask("live/answer", { id, ...decision }).then((outcome) => {
      if (outcome?.["answered"] === true) return;
      this.#answered.delete(id);
      if (outcome === undefined) return;
      this.notice.value = { words: `The change of ${path} was answered elsewhere before.` };
    });
  }

  /** Decides what becomes of unsaved text whose file was changed meanwhile. */
  settle(path: string, keep: "mine" | "disk"): void {
    this.notice.value = undefined;
    if (keep === "disk") {
      this.#texts.drop(path);
      void this.#ask("live/revert", { path });
    } else void this.#ask("live/keep", { path }).then((done) => done && this.save(path));
  }

  /** An address for another tab; undefined when idewire cannot be asked. */
  async createLink(): Promise<string | undefined> {
    const answer = await this.#ask("live/link", {});
    return typeof answer?.["url"] === "string" ? answer["url"] : undefined;
  }

  async #join(peer: Peer): Promise<void> {
    const log = new EventLog();
    peer.handle("live/events", ({ params }) => {
      for (const event of toEvents(params?.["events"])) this.#hear(log, event);
    });
    peer.handle("live/joined", () => {
      this.#session.showLive(this, log);
      this.#peer = peer;
      this.status.value = "connected";
      this.words.value = "";
      this.#texts.flushAll();
    });
    peer.handle("live/files", ({ params }) => {
      const files = params?.["files"];
      this.files.value = Array.isArray(files) ? (files as string[]) : [];
      this.cut.value = params?.["cut"] === true;
    });
    peer.handle("live/stale", ({ params }) => {
      const path = String(params?.["path"]);
      const words = `${path} was changed on the disk while it has unsaved text here.`;
      this.notice.value = { words, stale: path };
    });
    const joined = await peer
      .request("live/join", undefined, { timeoutMs: JOIN_MS })
      .catch((error: unknown) => (isClosed(error) ? "closed" : undefined));
    // A connection that was lost meanwhile says so by itself.
    if (joined === "closed") return;
    if (!isObject(joined) || typeof joined["key"] !== "string") {
      this.#socket.giveUp(STRANGER);
      peer.close();
      return;
    }
    this.#socket.keep(String(joined["key"]));
    this.folder.value = String(joined["folder"]);
    document.title = `${this.folder.value.split("/").at(-1)} - idewire`;
  }

  #hear(log: EventLog, event: TraceEvent): void {
    log.adopt(event);
    if (event.ev !== "editor" || event.change.kind !== "review-closed") return;
    this.#list();
    const { id, outcome } = event.change;
    if (this.#answered.delete(id)) return;
    this.notice.value = { words: `A change was answered elsewhere: ${outcome}.` };
  }

  async #edit(path: string, text: string, over: string | undefined): Promise<void> {
    if (this.#peer === undefined) throw new Error("not connected");
    await this.#peer.request("live/edit", { path, text, over }).catch((error: unknown) => {
      this.#fail(error);
      throw error;
    });
    // By now the log has what was typed: from here on it is what counts.
    this.#session.redraw();
  }

  #list(): void {
    this.#peer?.request("live/files", {}).catch(() => undefined);
  }

  async #ask(
    method: string,
    params: object,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    if (this.#peer === undefined) {
      this.#fail(new Error("idewire cannot be asked now: the connection is lost"));
      return undefined;
    }
    try {
      const result = await this.#peer.request(method, { ...params });
      return isObject(result) ? result : {};
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    const isTold = error instanceof RpcError || this.#peer === undefined;
    const words = isTold && error instanceof Error ? error.message : "idewire has not answered";
    this.notice.value = { words: `${words}.` };
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof IdewireError && error.code === "closed";
}

/** The bridge is our own, and of the same version: only its form is looked at. */
function toEvents(value: unknown): readonly TraceEvent[] {
  return Array.isArray(value) ? (value.filter(isObject) as unknown as TraceEvent[]) : [];
}
