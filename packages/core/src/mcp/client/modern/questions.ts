import { IdewireError, RpcError } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { Call, type CallOwner } from "../../../rpc/call.ts";
import { ErrorAnswer, isObject, type Params } from "../../../rpc/message.ts";
import type { Redactor } from "../../../rpc/redactor.ts";
import { cancelledByCaller } from "../../../rpc/sent-requests.ts";
import { ELICIT } from "../../elicitation.ts";

/** A result that asks before it answers. */
export interface Asking {
  /** The method of the request that has it. */
  readonly method: string;
  readonly result: Params;
  /** Of the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A client that answers the questions of a server. */
export interface QuestionedClient extends Redactor {
  /** Undefined when no feature does. */
  answer(call: Call): { readonly result: unknown } | undefined;
}

/** Nothing but its answer is sent to the server for a question. */
const owner: CallOwner = { notify: () => {}, report: () => {} };

/**
 * Answers questions by key, all of one round at once (MCP 2026-07-28, Basic / Patterns, MRTR); when one cannot be
 * answered, the others are cancelled.
 * @throws IdewireError `protocol` for a malformed question, and for one that this client does not answer
 */
export async function answerAll(
  client: QuestionedClient,
  asking: Asking,
  questions: unknown,
): Promise<Params> {
  if (!isObject(questions)) throw bad(client, asking);
  const calls = Object.entries(questions).map(([key, question], index) => {
    if (!isObject(question) || typeof question["method"] !== "string") throw bad(client, asking);
    const { method, params } = question;
    return [key, new Call(owner, index, method, isObject(params) ? params : undefined)] as const;
  });
  const answers = calls.map(async ([key, call]) => [key, await answerOne(client, call)] as const);
  const { signal } = asking;
  let onabort = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    onabort = () => reject(cancelledByCaller(asking.method));
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

async function answerOne(client: QuestionedClient, call: Call): Promise<unknown> {
  try {
    const { result } = client.answer(call) ?? refuse(client, call);
    const answer = await result;
    if (!(answer instanceof ErrorAnswer)) return answer;
    throw new RpcError(answer.code, answer.message);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const text = `The server's ${call.method} cannot be answered: ${error.message}`;
    const shown = client.redact(text);
    throw new IdewireError("protocol", shown, shown === text ? { cause: error } : {});
  }
}

/** A person may decline a form; other questions cannot be answered by a refusal. */
function refuse(client: QuestionedClient, { method }: Call): { readonly result: unknown } {
  if (method === ELICIT) return { result: { action: "decline" } };
  const shown = client.redact(method);
  throw new IdewireError(
    "protocol",
    `The server asks ${shown}, which this client has not announced`,
  );
}

function bad(client: QuestionedClient, { method, result }: Asking): IdewireError {
  return badResult("server", method, result, client);
}
