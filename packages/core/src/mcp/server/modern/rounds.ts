import { RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import type { ModernCaller } from "./modern-caller.ts";
import type { RequestStateSeal } from "./request-state.ts";
import { Round, type RoundState } from "./round.ts";

/** How many rounds of questions one request may lead to. */
const MAX_ROUNDS = 16;

/** Runs handlers that may ask their client, each time from the start, until they ask nothing new. */
export class Rounds {
  readonly #seal: RequestStateSeal;

  constructor(seal: RequestStateSeal) {
    this.#seal = seal;
  }

  /** @throws RpcError -32602 for a `requestState` that is not of this request */
  run(call: Call, caller: ModernCaller<unknown>, handler: () => unknown): unknown {
    const { _meta, requestState, inputResponses, ...params } = call.params ?? {};
    const binding = [call.method, params, caller.principal];
    const runIn = (state: RoundState | undefined) => {
      const round = new Round(state, inputResponses);
      caller.questions = round;
      return this.#settle(round, binding, handler);
    };
    if (requestState === undefined) return runIn(undefined);
    return this.#seal.open(requestState, binding).then((state) => runIn(state as RoundState));
  }

  #settle(round: Round, binding: unknown, handler: () => unknown): unknown {
    const fail = (error: unknown) => {
      if (round.isOpen) return this.#finish(round, binding, undefined);
      throw round.bug ?? error;
    };
    try {
      const result = handler();
      return result instanceof Promise
        ? result.then((late) => this.#finish(round, binding, late), fail)
        : this.#finish(round, binding, result);
    } catch (error) {
      return fail(error);
    }
  }

  /** What the handler returned, unless it has asked: then the questions, even if it swallowed that. */
  #finish(round: Round, binding: unknown, result: unknown): unknown {
    if (round.bug !== undefined) throw round.bug;
    if (!round.isOpen) return result;
    const { next, questions } = round;
    if (next.rounds > MAX_ROUNDS) {
      const text = `More than ${MAX_ROUNDS} rounds of questions`;
      throw new RpcError(RpcErrorCode.InternalError, text);
    }
    return this.#seal.seal(next, binding).then((requestState) => ({
      resultType: "input_required",
      inputRequests: questions,
      requestState,
    }));
  }
}
