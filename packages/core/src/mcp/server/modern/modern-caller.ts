import { IdewireError } from "../../../errors.ts";
import type { Call, CallOwner, Progress } from "../../../rpc/call.ts";
import type { Params, RequestId } from "../../../rpc/message.ts";
import type { LogLevel } from "../../logging.ts";
import type { Capabilities } from "../../protocol.ts";
import {
  type ModernRevision,
  modernRevision,
  type RevisionTraits,
  revisions,
} from "../../versions.ts";
import type { AskOptions, Caller, ClientSettings, Question, RequestTarget } from "../caller.ts";
import type { RequestSource } from "../server-connection.ts";
import type { RequestMeta } from "./request-meta.ts";

/** Receives the questions of a request. */
export interface Questions {
  /** Whether the request can continue only with another request. */
  readonly isOpen: boolean;
  ask<T>(question: Question<T>, key?: string): Promise<T>;
  once<T>(key: string, make: () => T | Promise<T>): Promise<T>;
}

/** How a handler ended. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Answers a request before its handler has ended; the handler's outcome is then used elsewhere. */
type Detach = (answer: object, onend: (outcome: Outcome) => void) => void;

/** One request of a client in the modern era. */
export class ModernCaller<Context> implements Caller<Context>, CallOwner {
  readonly revision: ModernRevision = modernRevision;
  readonly traits: RevisionTraits = revisions[modernRevision];
  readonly initialized = true;
  readonly clientCapabilities: Capabilities;
  readonly settings: ClientSettings;
  /** Called for the first question: most handlers ask none. Undefined for methods that cannot ask. */
  openQuestions: (() => Questions) | undefined;
  /** For the features: the principal of the request. */
  readonly server: object;
  /** Set while the handler runs. */
  ondetach: Detach | undefined;
  readonly #source: RequestSource<Context>;
  #questions: Questions | undefined;
  #isDetached = false;

  constructor(server: object, source: RequestSource<Context>, meta: RequestMeta) {
    this.server = server;
    this.#source = source;
    this.clientCapabilities = meta.clientCapabilities;
    this.settings = meta.settings;
  }

  get context(): Context {
    return this.#source.context;
  }

  get principal(): string | undefined {
    return this.#source.principal;
  }

  get scopes(): readonly string[] | undefined {
    return this.#source.scopes;
  }

  onforbidden(needed: readonly string[]): void {
    this.#source.onforbidden?.(needed);
  }

  refuses(request: RequestTarget): boolean {
    const { scopes: own = [] } = this;
    const { scopes: needed = [] } = request;
    return this.#source.refuses?.(request) ?? !needed.every((scope) => own.includes(scope));
  }

  get logLevel(): LogLevel | undefined {
    return this.settings.logLevel;
  }

  get isAsking(): boolean {
    return this.#questions?.isOpen === true;
  }

  /** The highest progress that was reported, in this run or an earlier one. */
  progress: number = Number.NEGATIVE_INFINITY;

  isNewProgress(progress: number): boolean {
    const isNew = progress > this.progress;
    if (isNew) this.progress = progress;
    return isNew;
  }

  get questions(): Questions | undefined {
    this.#questions ??= this.openQuestions?.();
    return this.#questions;
  }

  ask<T>(question: Question<T>, options?: AskOptions): Promise<T> {
    const { questions } = this;
    if (questions !== undefined) return questions.ask(question, options?.key);
    const text = `${question.method}: only tools/call, prompts/get and resources/read may ask`;
    return Promise.reject(new IdewireError("unreachable", text));
  }

  get once(): Caller["once"] {
    const { questions } = this;
    return questions && ((key, make) => questions.once(key, make));
  }

  notify(method: string, params?: Params, about?: RequestId): void {
    if (!this.#isDetached) this.#source.notify(method, params, about);
  }

  report(call: Call, progress: Progress): void {
    if (!this.#isDetached) this.#source.report(call, progress);
  }

  get isDetached(): boolean {
    return this.#isDetached;
  }

  /**
   * Answers the request now, after which nothing more is sent for it.
   * @param questions receives further questions
   */
  detach(answer: object, questions: Questions, onend: (outcome: Outcome) => void): void {
    this.#isDetached = true;
    this.#questions = questions;
    this.ondetach?.(answer, onend);
  }
}
