import { Emitter, type Unsubscribe } from "../emitter.ts";
import type { PosixPath } from "../paths/posix-path.ts";
import type { ClosedDiff, DiffId, EditorHost, HostEvents, Mention } from "./editor-host.ts";

export interface MemberFacts {
  /** When the person was last in the editor, in milliseconds since 1970; 0 for never. */
  readonly focusedMs: number;
  /** Whether it notices writes to the files that it has open. */
  readonly watchesFiles: boolean;
}

/** An editor among several. */
interface Member {
  readonly host: EditorHost;
  readonly watchesFiles: boolean;
  focusedMs: number;
  readonly leave: Unsubscribe;
}

/**
 * Several editors on the same folders as one {@link EditorHost}. The one that the person used last is active: its
 * selection, documents and diagnostics apply, and it receives the requests of agents. A diff stays in the editor that
 * has it.
 */
export class JoinedHosts {
  /** All of them as one host; its name, and its facts about files on disk, are those of the first. */
  readonly host: EditorHost;
  readonly #own: EditorHost;
  readonly #members = new Map<EditorHost, Member>();
  readonly #events = new Emitter<HostEvents>();
  readonly #diffs = new Map<DiffId, EditorHost>();
  readonly #onactive: () => void;
  #active: Member;

  /**
   * @param own the first editor
   * @param onactive called when another has become active, before any event of the host
   */
  constructor(own: EditorHost, focusedMs: number, onactive: () => void) {
    this.#own = own;
    this.#onactive = onactive;
    const watchesFiles = own.fileVersion !== undefined;
    this.#active = this.#enter(own, { focusedMs, watchesFiles });
    const shared: object = this.#createMembers();
    this.host = new Proxy(own, {
      get: (_, name): unknown => {
        const from = Object.hasOwn(shared, name) ? shared : this.#active.host;
        const value: unknown = Reflect.get(from, name);
        return typeof value === "function" ? value.bind(from) : value;
      },
    });
  }

  get active(): EditorHost {
    return this.#active.host;
  }

  /** Adds an editor, until the result is called. */
  add(host: EditorHost, facts: MemberFacts): Unsubscribe {
    const member = this.#enter(host, facts);
    if (facts.focusedMs > this.#active.focusedMs) this.#activate(member);
    this.#events.emit("workspace");
    return () => {
      if (this.#members.get(host) !== member) return;
      this.#members.delete(host);
      member.leave();
      if (this.#active === member) this.#activate(this.#lastFocused());
      this.#events.emit("workspace");
    };
  }

  /** The person is in this editor now. */
  focus(host: EditorHost): void {
    const member = this.#members.get(host);
    if (member === undefined) return;
    member.focusedMs = Date.now();
    if (this.#active !== member) this.#activate(member);
  }

  /** The person refers agents to a file, outside of all these editors. */
  mention(mention: Mention): void {
    this.#events.emit("mention", mention);
  }

  /**
   * Called when an editor has noticed writes by other programs. If several have a file open, the one that the person
   * used last decides, as it may have saved the file itself.
   */
  written(by: EditorHost, paths: readonly PosixPath[]): void {
    const judges = [...this.#members.values()].filter(({ watchesFiles }) => watchesFiles);
    const open = judges
      .sort((one, two) => two.focusedMs - one.focusedMs)
      .map(({ host }) => ({ host, paths: new Set(host.documents().map(({ path }) => path)) }));
    const others = paths.filter((path) => {
      const judge = open.find((each) => each.paths.has(path))?.host;
      return judge === undefined || judge === by;
    });
    if (others.length > 0) this.#events.emit("written", others);
  }

  /** Stops following them. */
  close(): void {
    for (const { leave } of this.#members.values()) leave();
  }

  #enter(host: EditorHost, facts: MemberFacts): Member {
    const events = this.#events;
    const isActive = () => this.active === host;
    const leaving = [
      host.on("selection", () => isActive() && events.emit("selection")),
      host.on("documents", () => isActive() && events.emit("documents")),
      host.on("diagnostics", (paths) => isActive() && events.emit("diagnostics", paths)),
      host.on("workspace", () => events.emit("workspace")),
      host.on("written", (paths) => this.written(host, paths)),
      host.on("mention", (mention) => {
        this.focus(host);
        events.emit("mention", mention);
      }),
    ];
    const leave = () => {
      for (const each of leaving) each();
    };
    const member: Member = { ...facts, host, leave };
    this.#members.set(host, member);
    return member;
  }

  #activate(member: Member): void {
    const before = this.#active.host;
    this.#active = member;
    this.#onactive();
    this.#events.emit("documents");
    this.#events.emit("selection");
    if (before.workspace().trusted !== member.host.workspace().trusted) {
      this.#events.emit("workspace");
    }
    const paths = [before, member.host].flatMap((host) => host.documents().map(({ path }) => path));
    if (paths.length > 0) this.#events.emit("diagnostics", [...new Set(paths)]);
  }

  #lastFocused(): Member {
    const byFocus = [...this.#members.values()].sort((one, two) => two.focusedMs - one.focusedMs);
    return byFocus[0] ?? this.#active;
  }

  /** The members of the host that combine several editors. */
  #createMembers(): Partial<EditorHost> {
    const own = this.#own;
    const { name, version } = own;
    const fileVersion = own.fileVersion?.bind(own);
    const diagnosticsNow = () => this.#diagnostics();
    const openDiffNow = () => this.#openDiff();
    const members = {
      name,
      version,
      workspace: () => this.#workspace(),
      on: (event: keyof HostEvents, listener: HostEvents[keyof HostEvents]) =>
        this.#events.on(event, listener),
      read: (path: PosixPath) => this.#ask((host) => host.read(path)),
      fileVersion,
      get diagnostics() {
        return diagnosticsNow();
      },
      get openDiff() {
        return openDiffNow();
      },
      closeDiff: async (...args: Parameters<NonNullable<EditorHost["closeDiff"]>>) => {
        const closed = await this.#diffs.get(args[0])?.closeDiff?.(...args);
        return closed ?? ({ alreadyClosed: false } satisfies ClosedDiff);
      },
    };
    return members as Partial<EditorHost>;
  }

  /** The folders of all. */
  #workspace(): ReturnType<EditorHost["workspace"]> {
    const { trusted } = this.active.workspace();
    const all = [...this.#members.keys()].flatMap((host) => host.workspace().folders);
    return { trusted, folders: [...new Map(all.map((folder) => [folder.path, folder])).values()] };
  }

  #diagnostics(): EditorHost["diagnostics"] {
    if (this.active.diagnostics === undefined) return undefined;
    return (path) => this.#ask(async (host) => (await host.diagnostics?.(path)) ?? []);
  }

  /** Asks again if another editor has become active meanwhile: that one may not share the facts in the answer. */
  async #ask<T>(ask: (host: EditorHost) => Promise<T>): Promise<T> {
    const { active } = this;
    try {
      const answer = await ask(active);
      if (active === this.active) return answer;
    } catch (error) {
      if (active === this.active) throw error;
    }
    return this.#ask(ask);
  }

  #openDiff(): EditorHost["openDiff"] {
    const { active } = this;
    if (active.openDiff === undefined) return undefined;
    return async (request, signal) => {
      this.#diffs.set(request.id, active);
      try {
        return (await active.openDiff?.(request, signal)) ?? { kind: "cancelled" };
      } finally {
        this.#diffs.delete(request.id);
      }
    };
  }
}
