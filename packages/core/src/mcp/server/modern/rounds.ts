import { RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import type { ModernCaller, Outcome } from "./modern-caller.ts";
import { RequestStateSeal, type SealOptions } from "./request-state.ts";
import { Round, type RoundState } from "./round.ts";
import { resultOf, settle } from "./settle.ts";

/** The limit of rounds of questions for one request. */
const MAX_ROUNDS = 16;

/** Runs handlers that may ask their client, each time from the start, until they ask nothing new. */
export class Rounds {
  readonly #seal: RequestStateSeal;

  /** @throws IdewireError `invalid-argument` for no keys, or one of another length */
  constructor(options: SealOptions) {
    this.#seal = new RequestStateSeal(options);
  }

  /** @throws RpcError -32602 for a `requestState` of another request */
  run(call: Call, caller: ModernCaller<unknown>, handler: () => unknown): unknown {
    const { method, params = {} } = call;
    /** The binding of a state: all of the request that a retry does not change. */
    const bind = () => {
      const { _meta, requestState, inputResponses, ...same } = params;
      return [method, same, caller.principal];
    };
    const run = (opened?: unknown) => {
      const state = opened as RoundState | undefined;
      let round: Round | undefined;
      const openQuestions = () => {
        round = new Round(state, params["inputResponses"]);
        return round;
      };
      caller.openQuestions = openQuestions;
      if (state?.progress !== undefined) caller.progress = state.progress;
      return settle(caller, handler, (outcome) => this.#finish(round, caller, bind, outcome));
    };
    const { requestState } = params;
    return requestState === undefined ? run() : this.#seal.open(requestState, bind()).then(run);
  }

  /** The handler's result, or its questions if it has asked any, even if it swallowed the rejection. */
  #finish(
    round: Round | undefined,
    { progress }: ModernCaller<unknown>,
    bind: () => unknown,
    outcome: Outcome,
  ): unknown {
    if (round?.bug !== undefined) throw round.bug;
    if (round?.isOpen !== true) return resultOf(outcome);
    const { next, questions } = round;
    if (next.rounds > MAX_ROUNDS) {
      const text = `More than ${MAX_ROUNDS} rounds of questions`;
      throw new RpcError(RpcErrorCode.InternalError, text);
    }
    const state = Number.isFinite(progress) ? { ...next, progress } : next;
    return this.#seal.seal(state, bind()).then((requestState) => ({
      resultType: "input_required",
      inputRequests: questions,
      requestState,
    }));
  }
}
