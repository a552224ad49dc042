import type { Clock, ClosedDiff, DiffId, DiffOutcome, DiffRequest } from "@idewire/core";
import { isLike } from "./like.ts";
import type { ScenarioGestures } from "./model.ts";

/** How the person answers. */
type Rule = ScenarioGestures["diff"];

/** A proposal that is shown. */
interface ShownDiff {
  readonly request: DiffRequest;
  readonly settle: (outcome: DiffOutcome) => void;
  /** The person is about to answer. */
  timer: unknown;
}

/** What a {@link ScriptedPerson} needs. */
export interface PersonOptions {
  readonly clock: Clock;
  /** How the script names the file of a proposal. */
  readonly nameOf: (request: DiffRequest) => string;
  readonly onchange: (request: DiffRequest, outcome: DiffOutcome["kind"] | "shown") => void;
}

/** Sits before the editor and answers proposals by rules; without one that fits they wait. */
export class ScriptedPerson {
  readonly #options: PersonOptions;
  readonly #shown = new Map<DiffId, ShownDiff>();
  /** The latest first, with how often each still counts. */
  readonly #rules: { readonly rule: Rule; left: number }[] = [];

  constructor(options: PersonOptions) {
    this.#options = options;
  }

  /** The proposals that wait, oldest first. */
  get shown(): readonly DiffRequest[] {
    return [...this.#shown.values()].map(({ request }) => request);
  }

  /** Takes a rule; what waits is answered by it as well. */
  obey(rule: Rule): void {
    this.#rules.unshift({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
    for (const diff of [...this.#shown.values()]) {
      if (diff.timer === undefined) this.#consider(diff);
    }
  }

  show(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    return new Promise((resolve) => {
      const diff: ShownDiff = { request, settle: resolve, timer: undefined };
      this.#shown.set(request.id, diff);
      this.#options.onchange(request, "shown");
      signal.addEventListener("abort", () => this.#settle(diff, { kind: "cancelled" }), {
        once: true,
      });
      if (signal.aborted) this.#settle(diff, { kind: "cancelled" });
      else this.#consider(diff);
    });
  }

  close(id: DiffId): ClosedDiff {
    const diff = this.#shown.get(id);
    if (diff === undefined) return { alreadyClosed: true };
    this.#settle(diff, { kind: "cancelled" });
    return { alreadyClosed: false, text: diff.request.proposed };
  }

  #consider(diff: ShownDiff): void {
    const found = this.#rules.find(({ rule, left }) => left > 0 && this.#fits(rule, diff.request));
    if (found === undefined || found.rule.answer === "wait") return;
    found.left -= 1;
    const { rule } = found;
    const answer = () => this.#settle(diff, toOutcome(rule, diff.request.proposed));
    if (rule.afterMs === undefined) answer();
    else diff.timer = this.#options.clock.setTimeout(answer, rule.afterMs);
  }

  #fits({ filePath, title }: Rule, request: DiffRequest): boolean {
    if (title !== undefined && !isLike(title, request.title)) return false;
    return filePath === undefined || isLike(filePath, this.#options.nameOf(request));
  }

  #settle(diff: ShownDiff, outcome: DiffOutcome): void {
    if (!this.#shown.delete(diff.request.id)) return;
    this.#options.clock.clearTimeout(diff.timer);
    this.#options.onchange(diff.request, outcome.kind);
    diff.settle(outcome);
  }
}

function toOutcome({ answer, text, suffix = "" }: Rule, proposed: string): DiffOutcome {
  switch (answer) {
    case "reject":
      return { kind: "rejected" };
    case "close":
      return { kind: "closed" };
    case "accept-edited": {
      const whole = text ?? `${proposed}${suffix}`;
      return { kind: "accepted", text: whole, edited: whole !== proposed };
    }
    default:
      return { kind: "accepted", text: proposed, edited: false };
  }
}
