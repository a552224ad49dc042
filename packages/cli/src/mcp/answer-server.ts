import {
  type ClientFeature,
  elicitation,
  type FormAnswer,
  type FormRequest,
} from "@idewire/core/client";
import type { ClientSession, UrlElicitation, UrlOutcome } from "@idewire/core/internal";
import { formValidator } from "@idewire/core/json-schema";
import type { Call } from "@idewire/core/rpc";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import { canOpenBrowser, openInBrowser } from "../serve/browser/open-in-browser.ts";
import { askerOf, askForm } from "./ask-form.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";

/** The most questions pending at once. */
const MAX_WAITING = 100;

/** Asks a server's questions in the terminal; declines them without a terminal. */
export function terminalElicitation(questions: TerminalQuestions, io: CliIo): ClientFeature {
  const { fail, quoteError } = questions.printer;
  const admit = admission(() => {
    const words = `The server asked more than ${MAX_WAITING} questions at once`;
    fail(line`${words}; the others are declined.`);
  });
  const refuse = async ({ message }: { readonly message: string }, session: ClientSession) => {
    quoteError(`${askerOf(session)} asks: ${message}`);
    fail(line`Declined: there is no terminal to ask in.`);
    return declined;
  };
  return elicitation({
    validator: formValidator,
    form: (request: FormRequest, { signal }: Call, session): Promise<FormAnswer> =>
      admit(() =>
        questions.canAsk
          ? questions.inTurn(() => askForm(request, { questions, session, signal }))
          : refuse(request, session),
      ),
    url: (request: UrlElicitation, { signal }: Call, session): Promise<UrlOutcome> =>
      admit(() =>
        questions.canAsk
          ? questions.inTurn(() => askToVisit(request, { questions, io, session, signal }))
          : refuse(request, session),
      ),
  });
}

const declined = { action: "decline" } as const;

/**
 * Admits questions while not too many are pending.
 * @param onexcess called for the first of consecutively declined ones
 */
function admission(onexcess: () => void) {
  let waiting = 0;
  let isExceeded = false;
  return async <T>(ask: () => Promise<T>): Promise<T | typeof declined> => {
    if (waiting === MAX_WAITING) {
      if (!isExceeded) onexcess();
      isExceeded = true;
      return declined;
    }
    waiting += 1;
    try {
      return await ask();
    } finally {
      waiting -= 1;
      if (waiting === 0) isExceeded = false;
    }
  };
}

interface Visit {
  readonly questions: TerminalQuestions;
  readonly io: CliIo;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

/** Shows the whole address before anything is opened. */
async function askToVisit(
  { message, url }: UrlElicitation,
  { questions, io, session, signal }: Visit,
): Promise<UrlOutcome> {
  const { printer } = questions;
  const { palette, fail, quoteError } = printer;
  const { href, host } = new URL(url);
  quoteError(`${askerOf(session)} asks: ${message}`);
  fail(line`It requests that you visit ${palette.bold(host)}:`);
  fail(line`  ${href}`);
  const answer = await questions.ask(line`Agree? [y]es, [n]o: `, signal);
  if (answer === undefined) return { action: "cancel" };
  if (!/^y(es)?$/i.test(answer.trim())) return { action: "decline" };
  if (!canOpenBrowser(io.env)) fail(line`Open the address in your browser.`);
  const warn = (words: string) => fail(line`${words}`);
  openInBrowser({ env: io.env, createLink: () => href, warn });
  return { action: "accept" };
}
