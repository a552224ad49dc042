import type { DiffRequest } from "@idewire/core";
import type { DiffAnswer, DiffId } from "@idewire/core/internal";
import type { Clock } from "@idewire/core/rpc";
import type { InMemoryEditor } from "@idewire/core/testing";
import { isLike } from "../../like.ts";
import type { ScenarioActions } from "../file/model.ts";

type AnswerDiffRule = ScenarioActions["diff"];

/** Answers the diffs of an editor by rules; a diff that no rule matches stays pending. */
export class DiffRules {
  readonly #editor: InMemoryEditor;
  readonly #clock: Clock;
  readonly #nameOf: (request: DiffRequest) => string;
  /** The newest first, with how often each may still be used. */
  readonly #rules: { readonly rule: AnswerDiffRule; left: number }[] = [];
  /** Timers of the answers that are due later. */
  readonly #timers = new Map<DiffId, unknown>();

  /** @param nameOf how the rules name the file of a diff */
  constructor(editor: InMemoryEditor, clock: Clock, nameOf: (request: DiffRequest) => string) {
    this.#editor = editor;
    this.#clock = clock;
    this.#nameOf = nameOf;
    editor.diffs.events.on("diffOpened", ({ request }) => this.#consider(request));
    editor.diffs.events.on("diffClosed", ({ request }) => {
      clock.clearTimeout(this.#timers.get(request.id));
      this.#timers.delete(request.id);
    });
  }

  /** Adds a rule; it applies to pending diffs as well. */
  add(rule: AnswerDiffRule): void {
    this.#rules.unshift({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
    for (const { request } of this.#editor.diffs.shown) {
      if (!this.#timers.has(request.id)) this.#consider(request);
    }
  }

  #consider(request: DiffRequest): void {
    const found = this.#rules.find(({ rule, left }) => left > 0 && this.#matches(rule, request));
    if (found === undefined || found.rule.answer === "wait") return;
    found.left -= 1;
    const { rule } = found;
    const answer = () => void this.#editor.answerDiff(request.id, toAnswer(rule, request.proposed));
    if (rule.afterMs === undefined) answer();
    else this.#timers.set(request.id, this.#clock.setTimeout(answer, rule.afterMs));
  }

  #matches({ path, title }: AnswerDiffRule, request: DiffRequest): boolean {
    if (title !== undefined && !isLike(title, request.title)) return false;
    return path === undefined || isLike(path, this.#nameOf(request));
  }
}

function toAnswer(
  { answer, text, suffix = "", comments }: AnswerDiffRule,
  proposed: string,
): DiffAnswer {
  if (answer === "reject") return { kind: "rejected", ...(comments !== undefined && { comments }) };
  if (answer === "close") return { kind: "closed" };
  return { kind: "accepted", text: text ?? `${proposed}${suffix}` };
}
