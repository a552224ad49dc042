import { IdewireError } from "../../../errors.ts";
import type { Params, RequestId } from "../../../rpc/message.ts";
import type { Capabilities } from "../../protocol.ts";
import {
  type ModernRevision,
  modernRevision,
  type RevisionTraits,
  revisions,
} from "../../versions.ts";
import type { AskOptions, Caller, ClientSettings, Question } from "../caller.ts";
import type { ServerConnection } from "../server-connection.ts";
import type { RequestMeta } from "./request-meta.ts";

/** Where the questions of a request go. */
export interface Questions {
  ask<T>(question: Question<T>, key?: string): Promise<T>;
  once<T>(key: string, make: () => T | Promise<T>): Promise<T>;
}

/** One request of a client in the modern era. */
export class ModernCaller<Context> implements Caller<Context> {
  readonly revision: ModernRevision = modernRevision;
  readonly traits: RevisionTraits = revisions[modernRevision];
  readonly initialized = true;
  readonly clientCapabilities: Capabilities;
  readonly settings: ClientSettings;
  /** Undefined for methods that cannot ask. */
  questions: Questions | undefined;
  readonly #connection: ServerConnection<Context>;

  constructor(connection: ServerConnection<Context>, meta: RequestMeta) {
    this.#connection = connection;
    this.clientCapabilities = meta.clientCapabilities;
    this.settings = meta.settings;
  }

  get context(): Context {
    return this.#connection.context;
  }

  get principal(): string | undefined {
    return this.#connection.principal;
  }

  ask<T>(question: Question<T>, options?: AskOptions): Promise<T> {
    if (this.questions !== undefined) return this.questions.ask(question, options?.key);
    const text = `${question.method}: only tools/call, prompts/get and resources/read may ask`;
    return Promise.reject(new IdewireError("unreachable", text));
  }

  once<T>(key: string, make: () => T | Promise<T>): Promise<T> {
    return this.questions?.once(key, make) ?? Promise.resolve(make());
  }

  notify(method: string, params?: Params, about?: RequestId): void {
    this.#connection.notify(method, params, about);
  }
}
