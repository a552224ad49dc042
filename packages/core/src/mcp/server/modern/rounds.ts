import { RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import type { ModernCaller, Outcome } from "./modern-caller.ts";
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
      const finish = (outcome: Outcome) => this.#finish(round, binding, outcome);
      return settle(caller, handler, finish);
    };
    if (requestState === undefined) return runIn(undefined);
    return this.#seal.open(requestState, binding).then((state) => runIn(state as RoundState));
  }

  /** What the handler returned, unless it has asked: then the questions, even if it swallowed that. */
  #finish(round: Round, binding: unknown, outcome: Outcome): unknown {
    if (round.bug !== undefined) throw round.bug;
    if (!round.isOpen) {
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    }
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

/** Runs a handler and finishes what it does, unless the request is answered before. */
function settle(
  caller: ModernCaller<unknown>,
  handler: () => unknown,
  finish: (outcome: Outcome) => unknown,
): unknown {
  let result: unknown;
  try {
    result = handler();
  } catch (error) {
    return finish({ error });
  }
  if (!(result instanceof Promise)) return finish({ result });
  return new Promise((resolve, reject) => {
    let end = (outcome: Outcome) => {
      try {
        resolve(finish(outcome));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    caller.ondetach = (answer, onend) => {
      end = onend;
      resolve(answer);
    };
    result.then(
      (late: unknown) => end({ result: late }),
      (error: unknown) => end({ error }),
    );
  });
}
