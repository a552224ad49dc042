import type { IdeSession, Unsubscribe } from "@idewire/core";
import { Emitter } from "@idewire/core";
import type { SessionId } from "@idewire/core/internal";
import { agentTitle, hasNoDiff } from "@idewire/core/internal";
import type { AgentMode, AgentSessionFacts } from "@idewire/devtools/internal";
import type { IdeListener } from "@idewire/node-server";
import { isOurs, isReviewer } from "@idewire/node-server/internal";
import type { FolderHost } from "../folder-host/index.ts";

/** The agents of a folder for a page's list: by session, with the known facts. */
export class AgentSessions {
  readonly #host: FolderHost;
  /** The name of each session's connection in the log. */
  readonly #names = new Map<SessionId, string>();
  #newest: string | undefined;
  readonly #changes = new Emitter<{ change(): void }>();
  readonly #undo: Unsubscribe[];
  /** The observed permission mode of each session, while the session exists. */
  readonly #modes = new Map<SessionId, AgentMode>();
  #listener: IdeListener | undefined;
  #isDue = false;

  constructor(host: FolderHost) {
    this.#host = host;
    this.#undo = [
      host.onDiff("diffOpened", ({ request }) => {
        this.#modes.set(request.session, "asks");
        this.#changed();
      }),
      host.onDiff("diffClosed", () => this.#changed()),
    ];
  }

  /** The known facts about the connected agents, oldest session first. */
  get facts(): readonly AgentSessionFacts[] {
    const sessions = [...(this.#listener?.sessions ?? [])];
    const reviewers = sessions.filter(({ agent }) => isReviewer(agent));
    const first = sessions.find(({ agent }) => hasNoDiff(agent));
    return sessions.flatMap((session) => {
      // A stand-in is shown as the agent that it represents.
      if (first !== undefined && reviewers.includes(session)) return [];
      return this.#factsOf(session, session === first ? reviewers : []);
    });
  }

  /**
   * Sets the connection's name for the session that is opened next, in the same turn; undefined leaves that
   * session out.
   */
  nameNext(name: string | undefined): void {
    this.#newest = name;
  }

  watch(listener: IdeListener): void {
    this.#listener = listener;
    this.#undo.push(
      listener.on("connected", ({ id }) => {
        if (this.#newest !== undefined) this.#names.set(id, this.#newest);
        this.#newest = undefined;
      }),
      listener.on("initialized", () => this.#changed()),
      listener.on("identified", () => this.#changed()),
      listener.on("ready", () => this.#changed()),
      listener.on("unreviewed", (session, { isCertain }) => {
        if (session === undefined || !isCertain) return;
        this.#modes.set(session.id, "writes");
        this.#changed();
      }),
      listener.on("disconnected", ({ id }) => {
        this.#modes.delete(id);
        this.#names.delete(id);
        this.#changed();
      }),
    );
  }

  /** Calls back after changes, once per turn. */
  onchange(listener: () => void): Unsubscribe {
    return this.#changes.on("change", listener);
  }

  close(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** @param reviewers the sessions that propose its edits on its behalf */
  #factsOf(session: IdeSession, reviewers: readonly IdeSession[]): readonly AgentSessionFacts[] {
    const { id, agent, pid, title, ready } = session;
    if (agent === undefined || isOurs(agent)) return [];
    const own = new Set([id, ...reviewers.map((each) => each.id)]);
    const diffs = this.#host.pendingDiffs.filter(({ request }) => own.has(request.session));
    const unseen = hasNoDiff(agent) ? "no-diffs" : "unknown";
    return [
      {
        name: agent.name,
        title: agentTitle(agent),
        version: agent.version,
        session: this.#names.get(id) ?? id,
        state: ready ? "ready" : "starting",
        mode: this.#modes.get(id) ?? (reviewers.length > 0 ? "asks" : unseen),
        diffs: diffs.map(({ request }) => request.id),
        ...(pid !== undefined && { pid }),
        ...(title !== undefined && { sessionTitle: title }),
      },
    ];
  }

  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    // In a later turn: the list is updated after a session's event.
    queueMicrotask(() => {
      this.#isDue = false;
      this.#changes.emit("change");
    });
  }
}
