import type { Range } from "@idewire/core";
import type { DiffAnswer, EditOptions } from "@idewire/core/internal";
import {
  type CommandOutcome,
  describeDiffEnd,
  describeUnable,
  showHiddenInLine,
} from "@idewire/core/internal";
import type {
  AgentSessionFacts,
  AgentStart,
  EditorChange,
  Joined,
  LogState,
  PageClient,
  PageCommand,
} from "@idewire/devtools/internal";
import { EventLog } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import type { PageModel } from "../state/page-model.ts";
import type { LinkedFolder } from "../state/server-link.ts";
import { Doctor } from "./doctor.ts";
import { FolderChanges } from "./folder-changes.ts";
import { FolderComments } from "./folder-comments.ts";
import { FolderSearch } from "./folder-search.ts";
import { LiveSocket } from "./live-socket.ts";
import { StaleFiles } from "./stale-files.ts";
import { type TypedChange, TypedTexts } from "./typed-texts.ts";

/** How often the list of files is requested while the page is visible. */
const LIST_MS = 10_000;

type ReviewClosed = Extract<EditorChange, { readonly kind: "review-closed" }>;

/** Shows a folder. */
interface FolderView {
  /** Both ends at the shown moment. */
  readonly state: { peek(): LogState };
  readonly own: { readonly log: EventLog };
  /** Both ends after an event. */
  stateAt(n: number): LogState;
  showLive(live: PageFolder, log: EventLog, before: number): void;
  redraw(): void;
}

/** The page as the editor of a folder that idewire serves. */
export class PageFolder implements LinkedFolder {
  /** The path of the folder. */
  readonly folder = signal("");
  /** The commands that start agents for the folder. */
  readonly start: Signal<AgentStart | undefined> = signal(undefined);
  /** The shell command that serves the folder again. */
  readonly again = signal("");
  readonly files: Signal<readonly string[]> = signal([]);
  /** Whether more files exist than are listed. */
  readonly cut = signal(false);
  readonly notice: Signal<string | undefined> = signal(undefined);
  readonly stale: StaleFiles = new StaleFiles();
  startedMs: number | undefined;
  readonly agents: Signal<readonly AgentSessionFacts[]> = signal([]);
  readonly doctor: Doctor = new Doctor(this);
  readonly hasComments = signal(false);
  readonly comments: FolderComments = new FolderComments({
    client: () => this.link.client,
    flush: (path) => this.#texts.flush(path),
  });
  readonly changes: FolderChanges = new FolderChanges(
    {
      client: () => this.link.client,
      flush: (path) => this.#texts.flush(path),
    },
    (words) => {
      this.notice.value = words;
    },
  );
  readonly search: FolderSearch = new FolderSearch({ client: () => this.link.client }, () =>
    this.#texts.flushAll(),
  );
  readonly #view: FolderView;
  readonly link: LiveSocket;
  readonly #texts = new TypedTexts({
    send: (path, text, options) => this.#edit(path, text, options),
    shown: (path) => this.#newest.files.get(path),
    onsettled: () => this.#view.redraw(),
  });
  /** By path, the text of the file on disk as far as known to the process that is shown. */
  #saved: ReadonlyMap<string, string> = new Map();
  /** When the process began whose state is shown; another one has lost the unsaved text. */
  #shownBegan: number | undefined;
  /** Diffs answered here but not confirmed by idewire: outcome in words, by id. */
  readonly #answered = new Map<string, string>();

  constructor(view: FolderView) {
    this.#view = view;
    this.link = new LiveSocket({
      listen: (client) => this.#listen(client),
      enter: (joined) => joined.inspection === undefined && this.#enter(joined),
      fail: (words) => {
        this.notice.value = words;
      },
    });
    window.addEventListener("pagehide", () => this.#texts.flushAll());
    window.addEventListener("focus", () => this.#list());
    window.setInterval(() => document.visibilityState === "visible" && this.#list(), LIST_MS);
    this.link.open();
  }

  /** The last part of the folder's path. */
  get name(): string {
    const { value } = this.folder;
    return value.split("/").findLast((part) => part !== "") ?? value;
  }

  agentOf(review: string): string | undefined {
    return this.agents.value.find(({ diffs }) => diffs.includes(review))?.title;
  }

  open(path: string): void {
    this.notice.value = undefined;
    void this.#run({ do: "open", path });
  }

  type(path: string, change: TypedChange): void {
    this.#texts.type(path, change);
  }

  typed(path: string): string | undefined {
    return this.#texts.get(path);
  }

  save(path: string): void {
    void this.#texts.flush(path).then(async () => {
      const { value } = (await this.#run({ do: "save", path })) ?? {};
      if (value?.saved !== false) return;
      const words = `Not saved: ${value.message ?? "no reason given"}.`;
      if (words.includes("changed on disk")) this.stale.add({ words, path });
      else this.notice.value = words;
    });
  }

  close(path: string): void {
    void this.#texts.flush(path).then(async () => {
      const outcome = await this.#run({ do: "close", path });
      if (outcome?.value !== false) return;
      this.notice.value = `${path} has unsaved text. Save it before you close it.`;
    });
  }

  select(path: string, range: Range): void {
    void this.#texts.flush(path).then(() => this.#run({ do: "select", path, range }));
  }

  mention(path: string, lines?: { readonly start: number; readonly end: number }): void {
    const command = { do: "mention", path, ...(lines !== undefined && { lines }) } as const;
    void this.#texts.flush(path).then(async () => {
      const { value } = (await this.#run(command)) ?? {};
      const unable = value && describeUnable(value);
      if (unable !== undefined) this.notice.value = `${unable}.`;
    });
  }

  answer({ id, path }: { readonly id: string; readonly path: string }, answer: DiffAnswer): void {
    this.#answered.set(id, "was ended");
    void this.#run({ do: "answerDiff", id, answer }).then((outcome) => {
      const end = this.#answered.get(id);
      this.#answered.delete(id);
      if (outcome === undefined || outcome.value) return;
      this.notice.value = `Your answer came too late: the diff of ${path} ${end}.`;
    });
  }

  /** Keeps the unsaved text, or replaces it by the text on disk. */
  settle(path: string, keep: "mine" | "disk"): void {
    this.stale.remove(path);
    if (keep === "disk") {
      this.#texts.drop(path);
      void this.#run({ do: "revert", path });
    } else {
      void this.#run({ do: "keepUnsaved", path }).then((done) => done && this.save(path));
    }
  }

  #listen(client: PageClient): (before: number) => void {
    const log = new EventLog();
    const saved = new Map<string, string>();
    let isJoined = false;
    // The folder names those that are left to decide.
    this.stale.clear();
    client.on("live/events", ({ events }) => {
      for (const event of events) {
        log.adopt(event);
        if (event.ev !== "editor") continue;
        const { change } = event;
        if (change.kind === "text" && change.unsaved !== true) saved.set(change.path, change.text);
        // Events from before this page connected are not announced.
        if (isJoined) this.#receive(change);
      }
    });
    client.on("live/files", ({ files, cut }) => {
      this.files.value = files.toSorted();
      this.cut.value = cut;
    });
    client.on("live/agents", ({ agents }) => {
      this.agents.value = agents;
    });
    this.comments.listen(client);
    this.changes.listen(client);
    client.on("live/notice", ({ words }) => {
      this.notice.value = words;
    });
    client.on("live/stale", ({ path }) => {
      this.stale.add({ path, words: `${path} changed on disk; it has unsaved text here.` });
    });
    const show = (before: number): void => {
      // The connection was lost while the text was restored.
      if (this.link.client !== client) return;
      isJoined = true;
      this.#shownBegan = this.startedMs;
      this.#saved = saved;
      this.#view.showLive(this, log, before);
      this.#texts.flushAll();
      this.comments.changed();
    };
    return (before) => {
      if (this.#shownBegan === undefined || this.#shownBegan === this.startedMs) show(before);
      else this.#texts.hold(this.#restore(client).then(() => show(before)));
    };
  }

  #enter({ folder, start, again = "", began, comments }: Joined): boolean {
    this.folder.value = folder;
    this.start.value = start;
    this.again.value = again;
    this.startedMs = began;
    this.hasComments.value = comments === true;
    document.title = `${showHiddenInLine(this.name)} - idewire`;
    return true;
  }

  get #newest(): LogState {
    return this.#view.stateAt(this.#view.own.log.last);
  }

  /**
   * Opens the shown file in a new process, with its unsaved text, unless another page has restored that; meanwhile
   * the person may continue typing.
   */
  async #restore(client: PageClient): Promise<void> {
    const { tabs, unsaved, files } = this.#newest;
    for (const path of tabs) {
      await client.command({ do: "open", path }).catch(() => undefined);
      if (this.link.client !== client) return;
      const text = files.get(path);
      if (!unsaved.has(path) || text === undefined) continue;
      // Typed over an unknown text: the person decides.
      await this.#texts.restore(path, text, this.#saved.get(path) ?? "");
    }
  }

  #receive(change: EditorChange): void {
    if (change.kind === "review-closed") this.#reviewClosed(change);
    if (change.kind === "closed") this.stale.remove(change.path);
    if (change.kind !== "text") return;
    if (change.unsaved === true) this.#texts.receive(change.path, change.text);
    else this.stale.remove(change.path);
  }

  #reviewClosed({ id, outcome, by }: ReviewClosed): void {
    this.#list();
    const { reviews } = this.#view.stateAt(this.#view.own.log.last - 1);
    const path = reviews.find((review) => review.id === id)?.path;
    const end = describeDiffEnd(outcome, by).replace("in the page", "in another tab");
    if (this.#answered.has(id)) this.#answered.set(id, end);
    else if (path !== undefined) this.notice.value = `The diff of ${path} ${end}.`;
  }

  async #edit(path: string, text: string, options: EditOptions): Promise<void> {
    if (this.link.client === undefined) throw new Error("not connected");
    const done = await this.#run({ do: "edit", path, text, ...options });
    if (done === undefined) throw new Error("not taken");
    // The log has the typed text by now and is shown from here on.
    this.#view.redraw();
  }

  #list(): void {
    this.link.client?.request("live/files", {}).catch(() => undefined);
  }

  #run<C extends PageCommand>(command: C): Promise<CommandOutcome<C["do"]> | undefined> {
    return this.link.ask((client) => client.command(command));
  }
}

/** The folder that idewire serves, if any. */
export function folderOf({ live }: PageModel): PageFolder | undefined {
  return live instanceof PageFolder ? live : undefined;
}
