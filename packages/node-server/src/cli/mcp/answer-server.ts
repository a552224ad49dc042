import {
  type Call,
  type ClientFeature,
  elicitation,
  type FormAnswer,
  type FormRequest,
  type McpClient,
  type UrlElicitation,
  type UrlOutcome,
} from "@idewire/core";
import { canOpenBrowser, openInBrowser } from "../browser/open-in-browser.ts";
import { line } from "../output/printable.ts";
import type { CliIo } from "../process/io.ts";
import { askForm } from "./ask-form.ts";
import { formValidator } from "./form-validator.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";

/** Lets a server ask the person in the terminal; without a terminal all is declined. */
export function terminalElicitation(questions: TerminalQuestions, io: CliIo): ClientFeature {
  const { printer } = questions;
  const declined = { action: "decline" } as const;
  const refuse = (request: { readonly message: string }, client: McpClient) => {
    const who = client.server.serverInfo.name || "The server";
    printer.fail(line`${who} asks: ${request.message}`);
    printer.fail(line`Declined: there is no terminal to ask in.`);
    return declined;
  };
  return elicitation({
    validator: formValidator,
    form: (request: FormRequest, call: Call, client): FormAnswer | Promise<FormAnswer> =>
      questions.canAsk
        ? questions.inTurn(() => askForm(request, { questions, client, signal: call.signal }))
        : refuse(request, client),
    url: (request: UrlElicitation, call: Call, client): UrlOutcome | Promise<UrlOutcome> =>
      questions.canAsk
        ? questions.inTurn(() =>
            askToVisit(request, { questions, io, client, signal: call.signal }),
          )
        : refuse(request, client),
  });
}

interface Visit {
  readonly questions: TerminalQuestions;
  readonly io: CliIo;
  readonly client: McpClient;
  readonly signal: AbortSignal;
}

/** Shows the whole address before anything is opened. */
async function askToVisit(
  { message, url }: UrlElicitation,
  { questions, io, client, signal }: Visit,
): Promise<UrlOutcome> {
  const { printer } = questions;
  const { palette, fail } = printer;
  const { href, host } = new URL(url);
  fail(line`${palette.bold(client.server.serverInfo.name)} asks: ${message}`);
  fail(line`It wants you to visit ${palette.bold(host)}:`);
  fail(line`  ${href}`);
  const answer = await questions.ask(line`Agree? [y]es, [n]o: `, signal);
  if (answer === undefined) return { action: "cancel" };
  if (!/^y(es)?$/i.test(answer.trim())) return { action: "decline" };
  if (!canOpenBrowser(io.env)) fail(line`Open the address in your browser.`);
  const warn = (words: string) => fail(line`${words}`);
  openInBrowser({ env: io.env, createLink: () => href, warn });
  return { action: "accept" };
}
