import { layOut } from "@idewire/codemirror";
import type { PosixPath } from "@idewire/core";
import { type CurrentText, isSameText } from "../current-text.ts";
import type { ReviewHistory } from "../history/history.ts";
import { type KnownText, KnownTexts } from "./known-texts.ts";

/** What the recorder depends on. All paths are those of the vault. */
export interface WriteRecorderParts {
  /** Reads what is on disk. */
  readonly read: (path: string) => Promise<CurrentText>;
  /** Whether the text of a note may not be kept; true as well while that is not known. */
  readonly isExcluded: (path: string) => boolean;
  /** The text in an open editor of the note. */
  readonly shownText: (path: string) => string | undefined;
  /** Whether the person has typed into the note a moment ago. */
  readonly isTyped: (path: string) => boolean;
  /** What is said of the connected agents when it is not known who wrote; undefined if there are none. */
  readonly agents: () => string | undefined;
  readonly history: Pick<ReviewHistory, "addUnreviewed" | "nameAgent">;
  readonly toAbsolute: (path: string) => PosixPath;
  readonly newId: () => string;
}

/** A change of a note on disk. */
interface Write {
  readonly path: string;
  readonly before: KnownText;
  readonly after: string;
}

/** What was shown when a note was written. */
interface Seen {
  readonly shown: string | undefined;
  readonly isTyped: boolean;
}

/** How many writes may still be attributed, and how many reviewed texts are expected. */
const MAX_RECENT = 200;

/**
 * Records notes that are written while an agent is connected, without a review here and not by an editor
 * of this app, with their text before and after. Which program has written a note is only known where the
 * agent announces it; otherwise the record says which agents were connected.
 */
export class WriteRecorder {
  readonly known: KnownTexts = new KnownTexts();
  readonly #parts: WriteRecorderParts;
  readonly #seen = new Map<string, Seen>();
  /** Texts that a person has accepted, which their agents write next. */
  #expected: { readonly path: string; readonly text: string }[] = [];
  /** Recorded, and writes that look like the app's own; an agent may still turn out to have made them. */
  #recent: { readonly path: string; readonly id: string | undefined; readonly write: Write }[] = [];
  /** Which agent has written a note that the app has not looked at yet. */
  readonly #writers = new Map<string, string>();
  /** Steps run one after the other: each needs the text that the one before has left. */
  #steps: Promise<unknown> = Promise.resolve();

  constructor(parts: WriteRecorderParts) {
    this.#parts = parts;
  }

  /** Remembers the text of a note, unless it is known. */
  async remember(path: string): Promise<void> {
    if (this.known.get(path) !== undefined || this.#parts.isExcluded(path)) return;
    const text = await this.#parts.read(path);
    if (this.known.get(path) === undefined) this.known.set(path, text);
  }

  /** A person has accepted this text, or it is put back: writing it needs no record. */
  expect(path: string, text: string): void {
    this.#expected = [...this.#expected, { path, text }].slice(-MAX_RECENT);
  }

  /** The note was written; call it before an editor shows the new text. */
  written(path: string): void {
    if (this.#seen.has(path)) return;
    const { shownText, isTyped } = this.#parts;
    this.#seen.set(path, { shown: shownText(path), isTyped: isTyped(path) });
  }

  /** What the app knows of the note is up to date after a write. */
  settled(path: string): void {
    const seen = this.#seen.get(path);
    if (seen === undefined) return;
    this.#seen.delete(path);
    this.#enqueue(() => this.#look(path, seen));
  }

  /** An agent is known to have written these notes. */
  attribute(agent: string, paths: readonly string[]): void {
    for (const path of paths) if (this.#seen.has(path)) this.#writers.set(path, agent);
    this.#enqueue(async () => {
      const theirs = this.#recent.filter(({ path }) => paths.includes(path));
      this.#recent = this.#recent.filter((each) => !theirs.includes(each));
      for (const { id, write } of theirs) {
        if (id === undefined) this.#record(write, agent);
        else this.#parts.history.nameAgent(id, agent);
      }
    });
  }

  renamed(from: string, to: string): void {
    this.known.renamed(from, to);
  }

  /** What is excluded may have changed. */
  forgetExcluded(): void {
    this.known.forget((path) => this.#parts.isExcluded(path));
  }

  /** No agent is connected any more. */
  forgetAll(): void {
    this.known.forget(() => true);
    this.#seen.clear();
    this.#writers.clear();
    this.#expected = [];
    this.#recent = [];
  }

  #enqueue(step: () => void | Promise<void>): void {
    this.#steps = this.#steps.then(step).catch(() => undefined);
  }

  async #look(path: string, { shown, isTyped }: Seen): Promise<void> {
    const { read, isExcluded, agents, newId } = this.#parts;
    const now: CurrentText = isExcluded(path) ? { kind: "unreadable" } : await read(path);
    const before = this.known.get(path);
    const writer = this.#writers.get(path);
    this.#writers.delete(path);
    this.known.set(path, now);
    if (before === undefined || now.kind !== "text" || isSameText(before, now)) return;
    if (this.#takeExpected(path, now.text)) return;
    const write = { path, before, after: now.text };
    if (writer !== undefined) return this.#record(write, writer);
    const isOwn = isTyped || (shown !== undefined && isSameLines(shown, now.text));
    const connected = agents();
    if (connected === undefined) return;
    const id = isOwn ? undefined : newId();
    this.#recent = [...this.#recent, { path, id, write }].slice(-MAX_RECENT);
    if (id !== undefined) this.#record(write, connected, id);
  }

  #record(write: Write, agent: string, id: string = this.#parts.newId()): void {
    const { path, before, after } = write;
    const about = { id, path: this.#parts.toAbsolute(path), name: path, agent };
    const text = before.kind === "text" ? before.text : undefined;
    this.#parts.history.addUnreviewed(about, { before: text, proposed: after });
  }

  #takeExpected(path: string, text: string): boolean {
    const found = this.#expected.find((each) => each.path === path && each.text === text);
    this.#expected = this.#expected.filter((each) => each !== found);
    return found !== undefined;
  }
}

/** Whether an editor that shows a text has saved the other: it writes line endings its own way. */
function isSameLines(shown: string, saved: string): boolean {
  return shown === saved || layOut(shown).lines.join("\n") === layOut(saved).lines.join("\n");
}
