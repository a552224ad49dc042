import type { DiffOutcome } from "@idewire/core";
import type { Change, DiffEndedBy, EditorChange } from "@idewire/core/internal";
import { ChangeList } from "@idewire/core/internal/hunks";
import type { PageChangeTexts } from "@idewire/devtools/internal";
import type { EventLog } from "@idewire/devtools/trace";
import { computed, type ReadonlySignal } from "@preact/signals";
import type { ReadableChanges } from "../state/changes.ts";
import type { PageModel } from "../state/page-model.ts";

/** The name of an agent that the log does not name. */
const AGENT = "Agent";

/** The proposals of the agent in a simulation or recording, up to the shown moment of its log. */
class LoggedChanges implements ReadableChanges {
  readonly all: ReadonlySignal<readonly Change[]>;
  readonly #model: PageModel;
  #log: EventLog | undefined;
  #list = new ChangeList(() => 0);
  /** The number of the last event that is in the list. */
  #at = 0;
  #nowMs = 0;

  constructor(model: PageModel) {
    this.#model = model;
    this.all = computed(() => {
      void model.version.value;
      return this.#upTo(model.cursor.value ?? model.own.log.last).all;
    });
  }

  read(id: string): Promise<PageChangeTexts> {
    const [change, texts] = [this.#list.get(id), this.#list.textsOf(id)];
    if (change === undefined || texts === undefined)
      return Promise.reject(new Error("The texts of this change are no longer stored"));
    const { before, after } = texts;
    return Promise.resolve({
      version: change.version,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    });
  }

  #upTo(last: number): ChangeList {
    const { log } = this.#model.own;
    if (log !== this.#log || last < this.#at) {
      this.#log = log;
      this.#list = new ChangeList(() => this.#nowMs);
      this.#at = log.dropped;
    }
    for (; this.#at < last; this.#at += 1) {
      const event = log.at(this.#at + 1);
      if (event?.ev !== "editor") continue;
      this.#nowMs = (this.#model.startedMs ?? 0) + event.t;
      this.#take(event.change);
    }
    return this.#list;
  }

  #take(change: EditorChange): void {
    if (change.kind === "review-opened") {
      const { id, path, original: before, proposed: after } = change;
      this.#list.proposed({ id, path, agent: AGENT, before, after });
    } else if (change.kind === "review-closed") {
      const { id, outcome, by = "answered-elsewhere" } = change;
      const text = this.#list.textsOf(id)?.after ?? "";
      this.#list.ended(id, toOutcome(outcome, text), by as DiffEndedBy);
    }
  }
}

/** A log does not contain the person's text: accepted text is shown as proposed. */
function toOutcome(kind: string, text: string): DiffOutcome {
  if (kind === "accepted") return { kind, text, edited: false };
  return kind === "rejected" || kind === "closed" ? { kind } : { kind: "cancelled" };
}

const known = new WeakMap<PageModel, LoggedChanges>();

/** The changes in the log of a page without a server. */
export function loggedChangesOf(model: PageModel): ReadableChanges {
  const changes = known.get(model) ?? new LoggedChanges(model);
  known.set(model, changes);
  return changes;
}
