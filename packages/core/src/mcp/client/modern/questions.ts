import { IdewireError, RpcError } from "../../../errors.ts";
import { Call, type CallOwner } from "../../../rpc/call.ts";
import { ErrorAnswer, isObject, type Params } from "../../../rpc/message.ts";
import { ELICIT } from "../../elicitation.ts";
import { badResult } from "../../refusals.ts";
import type { ClientDefinition } from "../client-era.ts";

/** A result that asks before it answers. */
export interface Asking {
  /** The method of the request that has it. */
  readonly method: string;
  readonly result: Params;
  /** Of the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Nothing of a question goes to the server but its answer. */
const owner: CallOwner = { handler: undefined, notify: () => {}, report: () => {} };

/**
 * Answers all questions of one round at once (MCP 2026-07-28, Basic / Patterns, MRTR).
 * @returns what the next request says in addition
 * @throws IdewireError `protocol` for what is no question, and for one that this client does not answer
 */
export async function answerQuestions(client: ClientDefinition, asking: Asking): Promise<Params> {
  const { inputRequests, requestState } = asking.result;
  if (inputRequests === undefined && requestState === undefined) throw bad(asking);
  return {
    ...(inputRequests !== undefined && {
      inputResponses: await answerAll(client, asking, inputRequests),
    }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** Answers questions by key; when one cannot be answered, the others are withdrawn. */
export async function answerAll(
  client: Pick<ClientDefinition, "answer">,
  asking: Asking,
  questions: unknown,
): Promise<Params> {
  if (!isObject(questions)) throw bad(asking);
  const calls = Object.entries(questions).map(([key, question], index) => {
    if (!isObject(question) || typeof question["method"] !== "string") throw bad(asking);
    const { method, params } = question;
    return [key, new Call(owner, index, method, isObject(params) ? params : undefined)] as const;
  });
  const answers = calls.map(async ([key, call]) => [key, await answerOne(client, call)] as const);
  const { signal } = asking;
  let onabort = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    const text = `${asking.method} was cancelled by its caller`;
    onabort = () => reject(new IdewireError("cancelled", text));
  });
  if (signal?.aborted === true) onabort();
  signal?.addEventListener("abort", onabort);
  try {
    return Object.fromEntries(await Promise.race([Promise.all(answers), cancelled]));
  } catch (error) {
    for (const [, call] of calls) call.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", onabort);
  }
}

async function answerOne(client: Pick<ClientDefinition, "answer">, call: Call): Promise<unknown> {
  try {
    const { result } = client.answer(call) ?? refuse(call);
    const answer = await result;
    if (!(answer instanceof ErrorAnswer)) return answer;
    throw new RpcError(answer.code, answer.message);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const text = `The server's ${call.method} cannot be answered: ${error.message}`;
    throw new IdewireError("protocol", text, { cause: error });
  }
}

/** A person may decline; of the other questions none can be answered by a refusal. */
function refuse({ method }: Call): { readonly result: unknown } {
  if (method === ELICIT) return { result: { action: "decline" } };
  throw new IdewireError(
    "protocol",
    `The server asks ${method}, which this client has not announced`,
  );
}

function bad({ method, result }: Asking): IdewireError {
  return badResult("server", method, result);
}
