import { isObject } from "@idewire/core/internal";
import { type Params, RpcErrorCode } from "@idewire/core/rpc";
import { equal } from "../surface/change.ts";
import { Conversation, type TracedRequest } from "../trace/conversation/conversation.ts";
import type { TraceEvent } from "../trace/format/trace-event.ts";

/** The answer to a request: its `result`, or its `error`. */
export type RecordedAnswer = { readonly result: unknown } | { readonly error: unknown };

interface Recorded {
  readonly params: unknown;
  readonly answers: RecordedAnswer[];
}

/** Methods whose answers do not depend on their parameters, apart from a page. */
const BY_METHOD: ReadonlySet<string> = new Set([
  ...["initialize", "server/discover", "ping", "logging/setLevel"],
]);

/**
 * Answers requests as the server of a trace did: a request with the same method and parameters gets the same
 * answers, in their order, and the last one again.
 */
export class RecordedAnswers {
  readonly #recorded = new Map<string, Recorded[]>();
  #count = 0;

  /** @param events of any number of connections, the oldest first */
  constructor(events: readonly TraceEvent[]) {
    const conversation = new Conversation(true);
    const paramsOf = new Map<TracedRequest, unknown>();
    for (const event of events) {
      if (event.ev !== "frame") {
        conversation.add(event);
        continue;
      }
      for (const { kind, request, value } of conversation.add(event).messages) {
        if (request === undefined) continue;
        if (kind === "request" && event.dir === "agent>ide") paramsOf.set(request, value.params);
        if (!paramsOf.has(request) || event.dir !== "ide>agent") continue;
        if (kind === "result")
          this.#add(request.method, paramsOf.get(request), { result: value.result });
        if (kind === "error")
          this.#add(request.method, paramsOf.get(request), { error: value.error });
      }
    }
  }

  /** How many answers there are. */
  get count(): number {
    return this.#count;
  }

  /** The next answer; an error of JSON-RPC for a request that was not recorded. */
  answer(method: string, params: Params | undefined): RecordedAnswer {
    const all = this.#recorded.get(method);
    const found = all && findRecorded(all, method, params);
    const [next] = found?.answers ?? [];
    if (found === undefined || next === undefined) return unrecorded(method, all, params);
    if (found.answers.length > 1) found.answers.shift();
    return next;
  }

  #add(method: string, params: unknown, answer: RecordedAnswer): void {
    this.#count += 1;
    const all = this.#recorded.get(method) ?? [];
    this.#recorded.set(method, all);
    const same = all.find((each) => equal(withoutMeta(each.params), withoutMeta(params)));
    if (same === undefined) all.push({ params, answers: [answer] });
    else same.answers.push(answer);
  }
}

function findRecorded(
  all: readonly Recorded[],
  method: string,
  params: unknown,
): Recorded | undefined {
  if (BY_METHOD.has(method)) return all[0];
  return all.find((each) => equal(withoutMeta(each.params), withoutMeta(params)));
}

/** The parameters that matter: progress tokens, versions and traces differ from run to run. */
function withoutMeta(params: unknown): unknown {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return rest;
}

function unrecorded(
  method: string,
  all: readonly Recorded[] | undefined,
  params: Params | undefined,
): RecordedAnswer {
  if (method === "ping") return { result: {} };
  if (all === undefined) {
    const message = `The recording has no answer to ${method}`;
    return { error: { code: RpcErrorCode.MethodNotFound, message } };
  }
  const seen = JSON.stringify(withoutMeta(params));
  const known = all.map((each) => JSON.stringify(withoutMeta(each.params)));
  const message = `The recording has no ${method} of ${cut(seen)}; it has those of ${cut(known.join(", "))}`;
  return { error: { code: RpcErrorCode.InvalidParams, message } };
}

function cut(text: string): string {
  return text.length > 500 ? `${text.slice(0, 499)}…` : text;
}
