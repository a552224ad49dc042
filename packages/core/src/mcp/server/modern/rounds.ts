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
    const { method, params = {} } = call;
    /** What a state is bound to: all of the request but what a retry changes. */
    const bind = () => {
      const { _meta, requestState, inputResponses, ...same } = params;
      return [method, same, caller.principal];
    };
    const run = (state?: unknown) => {
      let round: Round | undefined;
      const openQuestions = () => {
        round = new Round(state as RoundState | undefined, params["inputResponses"]);
        return round;
      };
      caller.openQuestions = openQuestions;
      return settle(caller, handler, (outcome) => this.#finish(round, bind, outcome));
    };
    const { requestState } = params;
    return requestState === undefined ? run() : this.#seal.open(requestState, bind()).then(run);
  }

  /** What the handler returned, unless it has asked: then the questions, even if it swallowed that. */
  #finish(round: Round | undefined, bind: () => unknown, outcome: Outcome): unknown {
    if (round?.bug !== undefined) throw round.bug;
    if (round?.isOpen !== true) {
      if ("error" in outcome) throw outcome.error;
      return outcome.result;
    }
    const { next, questions } = round;
    if (next.rounds > MAX_ROUNDS) {
      const text = `More than ${MAX_ROUNDS} rounds of questions`;
      throw new RpcError(RpcErrorCode.InternalError, text);
    }
    return this.#seal.seal(next, bind()).then((requestState) => ({
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
  return new Promise((resolve) => {
    let end = (outcome: Outcome) => resolve(Promise.resolve(outcome).then(finish));
    // As in Peer, no function is written in an assignment to a member.
    const ondetach: ModernCaller<unknown>["ondetach"] = (answer, onend) => {
      end = onend;
      resolve(answer);
    };
    caller.ondetach = ondetach;
    result.then(
      (late: unknown) => end({ result: late }),
      (error: unknown) => end({ error }),
    );
  });
}
