import { layOut } from "@idewire/codemirror";
import type { PosixPath } from "@idewire/core";
import { type KnownText, KnownTexts } from "@idewire/core/internal";
import { evictOldest } from "@idewire/core/internal/base";
import { type CurrentText, isSameText } from "../current-text.ts";
import type { ReviewHistory } from "../history/history.ts";

/** The dependencies of the recorder. All paths are those of the vault. */
export interface WriteRecorderParts {
  /** Reads the text on disk. */
  readonly read: (path: string) => Promise<CurrentText>;
  /** Whether the text of a note may not be kept; true also while that is unknown. */
  readonly isExcluded: (path: string) => boolean;
  /** The text in an open editor of the note. */
  readonly shownText: (path: string) => string | undefined;
  /** Whether the person has typed into the note a moment ago. */
  readonly isTyped: (path: string) => boolean;
  /** Describes the connected agents if the writer is unknown; undefined if there are none. */
  readonly agents: () => string | undefined;
  readonly history: Pick<ReviewHistory, "isOn" | "addUnreviewed" | "attribute">;
  /** Called for each write that is neither reviewed nor the app's own, even if its text is not known. */
  readonly onwritten: (path: string) => void;
  readonly nowMs: () => number;
  readonly toAbsolute: (path: string) => PosixPath;
  readonly newId: () => string;
}

/** A change of a note on disk. */
interface Write {
  readonly path: string;
  readonly before: KnownText;
  readonly after: string;
}

/** The agent that has written a note, and its turn if known. */
interface Writer {
  readonly agent: string;
  readonly turn: string | undefined;
}

/** The texts that were shown when a note was written. */
interface Seen {
  readonly shown: string | undefined;
  readonly isTyped: boolean;
}

/** How soon an agent writes a note that it has announced. */
const ANNOUNCED_MS = 5_000;

/** How many writes may still be attributed, and how many reviewed texts are expected. */
const MAX_RECENT = 200;

/**
 * Records notes that are written while an agent is connected, without a review here and not by an editor
 * of this app, with their text before and after. The program that wrote a note is known only if the
 * agent announces it; otherwise the record says which agents were connected.
 */
export class WriteRecorder {
  readonly known: KnownTexts = new KnownTexts();
  readonly #parts: WriteRecorderParts;
  readonly #seen = new Map<string, Seen>();
  /** Texts that a person has accepted, which their agents write next. */
  #expected: { readonly path: string; readonly text: string }[] = [];
  /** Recorded writes, and apparent writes of the app itself, which an agent may still claim. */
  #recent: { readonly path: string; readonly id: string | undefined; readonly write: Write }[] = [];
  /** The agent that has written a note which the app has not reported yet. */
  readonly #writers = new Map<string, Writer>();
  /** When an agent has announced a write of a note. */
  readonly #announcedMs = new Map<string, number>();
  /** Runs steps one after the other: each needs the result of the previous one. */
  #steps: Promise<void> = Promise.resolve();

  constructor(parts: WriteRecorderParts) {
    this.#parts = parts;
  }

  /** An agent is about to write a note: the next write is not the app's, even if the person types. */
  async announced(path: string): Promise<void> {
    this.#announcedMs.set(path, this.#parts.nowMs());
    evictOldest(this.#announcedMs, MAX_RECENT);
    await this.remember(path);
  }

  /**
   * Remembers the text of a note, unless it is known.
   * @param isIndexed whether the app knew of the note's last write when this was called; otherwise that
   *   write is still to be reported, and the text is the one after it
   */
  async remember(path: string, isIndexed = async (): Promise<boolean> => true): Promise<void> {
    const { isExcluded, history } = this.#parts;
    if (!history.isOn || isExcluded(path)) return;
    const isDecided = () => this.known.get(path) !== undefined || this.#seen.has(path);
    await this.#enqueue(async () => {
      if (isDecided()) return;
      const text = await this.#parts.read(path);
      if ((await isIndexed()) && !isDecided()) this.known.set(path, text);
    });
  }

  /** Expects a text that was accepted or restored: its write is not recorded. */
  expect(path: string, text: string): void {
    this.#expected = [...this.#expected, { path, text }].slice(-MAX_RECENT);
  }

  /** The note was written; call it before an editor shows the new text. */
  written(path: string): void {
    if (this.#seen.has(path)) return;
    const { shownText, isTyped } = this.#parts;
    this.#seen.set(path, { shown: shownText(path), isTyped: isTyped(path) });
  }

  /** The app has indexed the note after a write. */
  settled(path: string): void {
    const seen = this.#seen.get(path);
    if (seen === undefined) return;
    this.#seen.delete(path);
    void this.#enqueue(() => this.#look(path, seen));
  }

  /**
   * An agent has written these notes; without its name, another program may have.
   * @param turn identifies the turn of the agent, if known
   */
  attribute(agent: string | undefined, paths: readonly string[], turn?: string): void {
    const named = { ...(agent !== undefined && { agent }), ...(turn !== undefined && { turn }) };
    if (agent !== undefined)
      for (const path of paths) if (this.#seen.has(path)) this.#writers.set(path, { agent, turn });
    void this.#enqueue(async () => {
      const theirs = this.#recent.filter(({ path }) => paths.includes(path));
      if (agent !== undefined) this.#recent = this.#recent.filter((each) => !theirs.includes(each));
      for (const { id, write } of theirs) {
        if (id !== undefined) this.#parts.history.attribute(id, named);
        else if (agent !== undefined) this.#record(write, { agent, turn });
      }
    });
  }

  renamed(from: string, to: string): void {
    this.known.renamed(from, to);
  }

  /** The exclusions may have changed. */
  forgetExcluded(): void {
    this.known.forget((path) => this.#parts.isExcluded(path));
  }

  /** The last agent has disconnected. */
  forgetAll(): void {
    this.known.forget(() => true);
    this.#seen.clear();
    this.#writers.clear();
    this.#announcedMs.clear();
    this.#expected = [];
    this.#recent = [];
  }

  #enqueue(step: () => void | Promise<void>): Promise<void> {
    this.#steps = this.#steps.then(step).catch(() => undefined);
    return this.#steps;
  }

  async #look(path: string, { shown, isTyped }: Seen): Promise<void> {
    const { read, isExcluded, agents, newId, onwritten } = this.#parts;
    const now: CurrentText = isExcluded(path) ? { kind: "unreadable" } : await read(path);
    const before = this.known.get(path);
    const writer = this.#writers.get(path);
    this.#writers.delete(path);
    this.known.set(path, now);
    if (now.kind !== "text" || (before !== undefined && isSameText(before, now))) return;
    if (this.#takeExpected(path, now.text)) return;
    const isOwn = this.#isOwn(path, now.text, { shown, isTyped });
    if (!isOwn) onwritten(path);
    if (before === undefined) return;
    const write = { path, before, after: now.text };
    if (writer !== undefined) return this.#record(write, writer);
    const connected = agents();
    if (connected === undefined) return;
    const id = isOwn ? undefined : newId();
    this.#recent = [...this.#recent, { path, id, write }].slice(-MAX_RECENT);
    if (id !== undefined) this.#record(write, { agent: connected, turn: undefined }, id);
  }

  /** Whether an editor of the app has saved the text, or the app has created the note. */
  #isOwn(path: string, text: string, { shown, isTyped }: Seen): boolean {
    const { shownText, nowMs } = this.#parts;
    const announcedMs = this.#announcedMs.get(path) ?? Number.NEGATIVE_INFINITY;
    this.#announcedMs.delete(path);
    if (nowMs() - announcedMs < ANNOUNCED_MS)
      return shown !== undefined && isSameLines(shown, text);
    if (isTyped || text === "") return true;
    // The app shows the notes that it creates.
    const displayed = shown ?? shownText(path);
    return displayed !== undefined && isSameLines(displayed, text);
  }

  #record(write: Write, { agent, turn }: Writer, id: string = this.#parts.newId()): void {
    const { path, before, after } = write;
    const facts = { agent, ...(turn !== undefined && { turn }) };
    const about = { id, path: this.#parts.toAbsolute(path), name: path, ...facts };
    const text = before.kind === "text" ? before.text : undefined;
    this.#parts.history.addUnreviewed(about, { before: text, proposed: after });
  }

  #takeExpected(path: string, text: string): boolean {
    const found = this.#expected.find((each) => each.path === path && each.text === text);
    this.#expected = this.#expected.filter((each) => each !== found);
    return found !== undefined;
  }
}

/** Whether one text is the other as saved by an editor, which may change line endings. */
function isSameLines(shown: string, saved: string): boolean {
  return shown === saved || layOut(shown).lines.join("\n") === layOut(saved).lines.join("\n");
}
