import { IdewireError } from "../../../errors.ts";
import { asObject, type Params } from "../../../rpc/message.ts";
import type { Question } from "../caller.ts";

/** The state that one run of a handler passes to the next: plain JSON. */
export interface RoundState {
  /** How many rounds of questions there have been. */
  readonly rounds: number;
  /** The highest progress that was reported; absent for none. */
  readonly progress?: number;
  /** The questions of the last round, as marks by key. */
  readonly asked: Readonly<Record<string, number>>;
  readonly answers: Readonly<Record<string, KnownAnswer>>;
  readonly kept: Readonly<Record<string, unknown>>;
}

interface KnownAnswer {
  readonly mark: number;
  readonly answer: unknown;
}

/** A question to a client: a member of `inputRequests`. */
export type InputRequests = Readonly<Record<string, { readonly method: string }>>;

const first: RoundState = { rounds: 0, asked: {}, answers: {}, kept: {} };

/**
 * One run of a handler whose questions are answered with a later request (MCP 2026-07-28, Basic /
 * Patterns, MRTR): a question without an answer rejects, and the handler runs again.
 */
export class Round {
  readonly #state: RoundState;
  readonly #responses: Params;
  readonly #answers: Map<string, KnownAnswer>;
  readonly #kept: Map<string, unknown>;
  readonly #making = new Map<string, Promise<unknown>>();
  readonly #questions = new Map<string, { readonly method: string; readonly params?: Params }>();
  readonly #marks = new Map<string, number>();
  #count = 0;
  #closed = false;
  #bug: IdewireError | undefined;

  /**
   * @param state the state of the last run; undefined in the first one
   * @param responses `inputResponses`
   */
  constructor(state: RoundState | undefined, responses: unknown) {
    this.#state = state ?? first;
    this.#responses = asObject(responses);
    this.#answers = new Map(Object.entries(this.#state.answers));
    this.#kept = new Map(Object.entries(this.#state.kept));
  }

  /** Whether the handler ends without its own result: by questions, or by the author's bug. */
  get isOpen(): boolean {
    return this.#questions.size > 0 || this.#bug !== undefined;
  }

  /** Why the handler cannot be run again; undefined when it can. */
  get bug(): IdewireError | undefined {
    return this.#bug;
  }

  get questions(): InputRequests {
    return Object.fromEntries(this.#questions);
  }

  /** The state for the next run. */
  get next(): RoundState {
    return {
      rounds: this.#state.rounds + 1,
      asked: Object.fromEntries(this.#marks),
      answers: Object.fromEntries(this.#answers),
      kept: Object.fromEntries(this.#kept),
    };
  }

  ask<T>(question: Question<T>, named?: string): Promise<T> {
    this.#count += 1;
    const key = named ?? `question-${this.#count}`;
    const isAnswered = this.#answers.has(key) || this.#answerTo(key) !== undefined;
    const loading = isAnswered ? question.load?.() : undefined;
    if (loading === undefined) return this.#ask(question, key);
    return loading.then(() => this.#ask(question, key));
  }

  #ask<T>({ method, params, parse }: Question<T>, key: string): Promise<T> {
    const mark = markOf(JSON.stringify([method, params]));
    const known = this.#answers.get(key);
    if ((known?.mark ?? ownOf(this.#state.asked, key) ?? mark) !== mark) return this.#fail(key);
    try {
      if (known !== undefined) return Promise.resolve(parse(known.answer));
      const answer = this.#answerTo(key);
      if (answer !== undefined) {
        const value = parse(answer);
        this.#answers.set(key, { mark, answer });
        return Promise.resolve(value);
      }
    } catch {
      // For an answer of another shape the client is asked again.
    }
    this.#put(key, mark, { method, ...(params !== undefined && { params }) });
    return rejected(new IdewireError("input-required", `${method}: the answer comes with a retry`));
  }

  once<T>(key: string, make: () => T | Promise<T>): Promise<T> {
    if (this.#kept.has(key)) return Promise.resolve(this.#kept.get(key) as T);
    const making =
      this.#making.get(key) ??
      Promise.resolve(make()).then((value) => {
        this.#kept.set(key, value);
        return value;
      });
    this.#making.set(key, making);
    return making as Promise<T>;
  }

  /** Without a state nothing has been asked yet, but a client may send the answers in advance. */
  #answerTo(key: string): unknown {
    const isAsked = this.#state === first || Object.hasOwn(this.#state.asked, key);
    return isAsked ? ownOf(this.#responses, key) : undefined;
  }

  /** Questions of one turn are sent together, except those that follow a swallowed rejection. */
  #put(key: string, mark: number, question: { readonly method: string }): void {
    if (this.#closed) return;
    if (this.#questions.size === 0) {
      queueMicrotask(() => {
        this.#closed = true;
      });
    }
    this.#questions.set(key, question);
    this.#marks.set(key, mark);
  }

  #fail(key: string): Promise<never> {
    this.#bug ??= new IdewireError(
      "invalid-argument",
      `The question ${JSON.stringify(key)} is another one than in the last run: ask the same in the same order, or name it by \`key\` and keep what changes by \`once\``,
    );
    return rejected(this.#bug);
  }
}

/** A handler may not await a question's promise, as in `Promise.all`. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

function ownOf<T>(members: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/** FNV-1a: distinguishes questions; it protects against nothing. */
function markOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
