import type { ModernCaller, Outcome } from "./modern-caller.ts";

/** The result of a handler; rethrows its error. */
export function resultOf(outcome: Outcome): unknown {
  if ("error" in outcome) throw outcome.error;
  return outcome.result;
}

/**
 * Runs a handler and finishes its outcome, unless the request is answered before.
 * @param finish creates the result from the outcome, or throws
 */
export function settle(
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
