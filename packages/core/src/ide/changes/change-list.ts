import { Emitter } from "../../emitter.ts";
import { lineHunks } from "../../hunks/restore.ts";
import type { DiffEndedBy } from "../diffs/diff-end.ts";
import type { DiffOutcome, SessionId } from "../editor-host.ts";
import {
  type Change,
  type ChangeState,
  type ChangeTexts,
  isOpenChange,
  stateAfter,
} from "./change.ts";

/** The limits of a list. */
export interface ChangeBounds {
  /** How many changes are listed; those that can still be decided are dropped last. */
  readonly changes: number;
  /** How much text is stored, in UTF-16 units; beyond that, the oldest are listed without their texts. */
  readonly units: number;
}

const defaultBounds: ChangeBounds = { changes: 200, units: 32 * 1024 * 1024 };

/** A proposal as it arrives. */
export interface ProposedChange extends Pick<Change, "id" | "path" | "agent"> {
  readonly session?: SessionId;
  readonly before: string | undefined;
  readonly after: string;
}

/** An edit that came without a review. */
export interface WrittenChange extends Pick<Change, "path" | "agent"> {
  readonly session?: SessionId;
  readonly turn: string;
  readonly isCertain: boolean;
  /** Undefined if the text before is not known: then it can only be listed. */
  readonly texts: Omit<ChangeTexts, "undecided"> | undefined;
}

interface Entry {
  readonly facts: Omit<Change, "added" | "removed" | "isReadable">;
  readonly texts: ChangeTexts | undefined;
  /** Counted on demand: hundreds may be pending. */
  counts: LineCounts | undefined;
}

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** The changes of a folder's files by agents, newest first: proposals, and edits that came without a review. */
export class ChangeList {
  readonly events: Emitter<{ change(): void }> = new Emitter();
  readonly #nowMs: () => number;
  readonly #bounds: ChangeBounds;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  #written = 0;

  constructor(nowMs: () => number, bounds: ChangeBounds = defaultBounds) {
    this.#nowMs = nowMs;
    this.#bounds = bounds;
  }

  get all(): readonly Change[] {
    return [...this.#entries.values()].reverse().map(toChange);
  }

  /** Undefined when it is not listed, or no longer. */
  get(id: string): Change | undefined {
    const entry = this.#entries.get(id);
    return entry && toChange(entry);
  }

  /** Undefined when they are not stored, or no longer. */
  textsOf(id: string): ChangeTexts | undefined {
    return this.#entries.get(id)?.texts;
  }

  /** The undecided edits of the turn of an edit, newest first: to be undone in this order. */
  turnOf(id: string): readonly Change[] {
    const turn = this.#entries.get(id)?.facts.turn;
    if (turn === undefined) return [];
    return this.all.filter((change) => change.turn === turn && change.state === "unreviewed");
  }

  /** A proposal has arrived, or is compared with another text. */
  proposed({ id, path, agent, session, before, after }: ProposedChange): void {
    const known = this.#entries.get(id)?.facts;
    const facts = {
      ...{ id, path, agent, state: "waiting" as const },
      ...(session !== undefined && { session }),
      openedMs: known?.openedMs ?? this.#nowMs(),
      version: (known?.version ?? 0) + 1,
    };
    this.#put({ facts, texts: { before, after }, counts: undefined });
  }

  /** A proposal has ended; does nothing if it is not listed. */
  ended(id: string, outcome: DiffOutcome, by: DiffEndedBy): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.facts.state !== "waiting") return;
    const isEdited = outcome.kind === "accepted" && outcome.edited;
    const texts = isEdited && entry.texts ? { ...entry.texts, after: outcome.text } : entry.texts;
    const counts = isEdited ? undefined : entry.counts;
    this.#put({ facts: this.#ended(entry, stateAfter(outcome, by)), texts, counts });
  }

  /** An agent has written a file without a review; writes of one turn on each other are one change. */
  wrote(change: WrittenChange): void {
    const { path, agent, session, turn, isCertain, texts } = change;
    const last = [...this.#entries.values()].reverse().find(({ facts }) => facts.path === path);
    const isNext = texts !== undefined && last !== undefined && continues(last, change);
    const merged = isNext ? { before: last.texts?.before, after: texts.after } : texts;
    if (isNext) this.#entries.delete(last.facts.id);
    if (!isNext) this.#written += 1;
    const facts = {
      ...{ path, agent, turn, state: "unreviewed" as const },
      id: isNext ? last.facts.id : `e${this.#written}`,
      isCertain: isCertain && (!isNext || last.facts.isCertain === true),
      ...(session !== undefined && { session }),
      openedMs: this.#nowMs(),
      version: isNext ? last.facts.version + 1 : 1,
    };
    // The agent has undone its own edit.
    if (merged !== undefined && merged.before === merged.after) this.events.emit("change");
    else this.#put({ facts, texts: withUndecided(merged), counts: undefined });
  }

  /** The person has decided about a part of an edit. */
  decided(id: string, undecided: NonNullable<ChangeTexts["undecided"]>): void {
    const entry = this.#entries.get(id);
    if (entry?.texts === undefined) return;
    const texts = { ...entry.texts, undecided };
    const isDone = lineHunks(undecided.before, undecided.written).length === 0;
    const state = isDone ? decisionOf(texts) : "unreviewed";
    const facts = isDone ? this.#ended(entry, state) : entry.facts;
    const { version } = entry.facts;
    this.#put({ ...entry, facts: { ...facts, version: version + 1 }, texts });
  }

  #ended({ facts }: Entry, state: ChangeState): Entry["facts"] {
    return { ...facts, state, endedMs: this.#nowMs() };
  }

  #put(entry: Entry): void {
    this.#entries.set(entry.facts.id, entry);
    this.#dropOldest();
    this.events.emit("change");
  }

  #dropOldest(): void {
    const entries = [...this.#entries.values()];
    const byNeed = [
      ...entries.filter(({ facts }) => !isOpenChange(facts)),
      ...entries.filter(({ facts }) => facts.state === "unreviewed"),
    ];
    const dropped = byNeed.slice(0, Math.max(0, entries.length - this.#bounds.changes));
    for (const { facts } of dropped) this.#entries.delete(facts.id);
    let units = entries.reduce((sum, { texts }) => sum + unitsOf(texts), 0);
    for (const { facts, texts, counts } of byNeed) {
      if (units <= this.#bounds.units) return;
      units -= unitsOf(texts);
      if (!dropped.some((each) => each.facts === facts) && texts !== undefined)
        this.#entries.set(facts.id, { facts, texts: undefined, counts: counts ?? count(texts) });
    }
  }
}

/** Whether a write is that of the same agent in the same turn, on its last one, of which nothing is decided. */
function continues({ facts, texts }: Entry, { turn, agent, texts: next }: WrittenChange): boolean {
  const isSame = facts.state === "unreviewed" && facts.turn === turn && facts.agent === agent;
  if (!isSame || texts === undefined || texts.after !== next?.before) return false;
  const { before = "", after = "", undecided } = texts;
  return undecided?.before === before && undecided.written === after;
}

function withUndecided(texts: Omit<ChangeTexts, "undecided"> | undefined): ChangeTexts | undefined {
  if (texts === undefined) return undefined;
  const { before, after } = texts;
  return { before, after, undecided: { before: before ?? "", written: after ?? "" } };
}

function decisionOf({ before, after, undecided }: ChangeTexts): ChangeState {
  if (undecided?.written === (after ?? "")) return "kept";
  return undecided?.written === (before ?? "") ? "undone" : "partly-undone";
}

function unitsOf(texts: ChangeTexts | undefined): number {
  const { before = "", after = "", undecided } = texts ?? {};
  const { before: from = "", written = "" } = undecided ?? {};
  // Strings are shared until something is decided.
  return (
    before.length +
    after.length +
    (from === before ? 0 : from.length) +
    (written === after ? 0 : written.length)
  );
}

function toChange(entry: Entry): Change {
  entry.counts ??= count(entry.texts);
  return { ...entry.facts, ...entry.counts, isReadable: entry.texts !== undefined };
}

function count(texts: ChangeTexts | undefined): LineCounts {
  const hunks = lineHunks(texts?.before ?? "", texts?.after ?? "");
  return {
    added: hunks.reduce((sum, { fromB, toB }) => sum + toB - fromB, 0),
    removed: hunks.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0),
  };
}
