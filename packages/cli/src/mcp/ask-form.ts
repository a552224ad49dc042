import type { FormAnswer, FormRequest } from "@idewire/core/client";
import type { ClientSession } from "@idewire/core/internal";
import { isObject } from "@idewire/core/internal";
import { formValidator } from "@idewire/core/json-schema";
import { FOREIGN } from "../output/foreign.ts";
import { line, type Printable, shorten } from "../output/printable.ts";
import { choicesOf, type FieldValue, readFieldText } from "./form-field.ts";
import type { TerminalQuestions } from "./terminal-questions.ts";

/** Where a form is asked. */
export interface FormContext {
  readonly questions: TerminalQuestions;
  readonly session: ClientSession;
  readonly signal: AbortSignal;
}

type Field = Readonly<Record<string, unknown>>;

/** Who asks, in questions to the person. */
export function askerOf(session: ClientSession): string {
  return session.redact(session.server.serverInfo.name) || "The server";
}

/** Asks for the fields of a form one by one, and for confirmation before they are sent. */
export async function askForm(request: FormRequest, context: FormContext): Promise<FormAnswer> {
  const { questions, session } = context;
  const { fail, quoteError } = questions.printer;
  const name = askerOf(session);
  quoteError(`${name} asks: ${request.message}`);
  for (;;) {
    const content = await askFields(request, context);
    if (content === undefined) return { action: "cancel" };
    const found = request.check({ ...request.defaults, ...content });
    if (!found.ok) {
      fail(line`${found.issue}`);
      continue;
    }
    const prompt = line`Send this to ${shorten(name, 40)}? [y]es, [n]o, [a]gain: `;
    const answer = await askChoice(prompt, context);
    if (answer === undefined) return { action: "cancel" };
    if (answer === "y") return { action: "accept", content };
    if (answer === "n") return { action: "decline" };
  }
}

const CHOICE = /^(?:y(?:es)?|no?|a(?:gain)?)$/i;

/** Asks until the answer is one of the choices; undefined when the person cancels. */
async function askChoice(
  prompt: Printable,
  { questions, signal }: FormContext,
): Promise<string | undefined> {
  for (;;) {
    const text = await questions.ask(prompt, signal);
    if (text === undefined) return undefined;
    const letter = CHOICE.exec(text.trim())?.[0][0];
    if (letter !== undefined) return letter.toLowerCase();
  }
}

type Content = Readonly<Record<string, FieldValue>>;

/** @returns undefined when the person cancels; fields without an answer are left out */
async function askFields(
  { schema }: FormRequest,
  context: FormContext,
): Promise<Content | undefined> {
  const { properties, required } = schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const answers: (readonly [string, FieldValue])[] = [];
  for (const [name, field] of Object.entries(isObject(properties) ? properties : {})) {
    if (!isObject(field)) continue;
    const isNeeded = needed.has(name) && field["default"] === undefined;
    const answer = await askField({ name, field, isNeeded }, context);
    if (answer === undefined) return undefined;
    if ("value" in answer) answers.push([name, answer.value]);
  }
  return Object.fromEntries(answers);
}

interface AskedField {
  readonly name: string;
  readonly field: Field;
  readonly isNeeded: boolean;
}

/** The value; an object without one when the field is left out; undefined when the person cancels. */
async function askField(
  { name, field, isNeeded }: AskedField,
  { questions, signal }: FormContext,
): Promise<{ readonly value: FieldValue } | Record<never, never> | undefined> {
  const { fail } = questions.printer;
  const check = formValidator.compile(field);
  describeField(field, questions);
  const initial = field["default"] === undefined ? "" : ` [${describeDefault(field["default"])}]`;
  const optional = isNeeded || initial !== "" ? "" : " (optional)";
  const prompt = line`${FOREIGN}${shorten(name, 40)}${optional}${shorten(initial, 60)}: `;
  for (;;) {
    const text = await questions.ask(prompt, signal);
    if (text === undefined) return undefined;
    if (text === "" && !isNeeded) return {};
    const read = readFieldText(text, field);
    const found = read.ok ? check(read.value) : read;
    if (read.ok && found.ok) return { value: read.value };
    // The field is the whole value here, which the validator calls "it".
    if (!found.ok) fail(line`${found.issue.replace(/^it: /, "")}`);
  }
}

/** As a person would type it. */
function describeDefault(value: unknown): string {
  return Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
}

function describeField(field: Field, { printer }: TerminalQuestions): void {
  const { title, description } = field;
  for (const text of [title, description]) {
    if (typeof text === "string") printer.quoteError(`  ${text}`);
  }
  const choices = choicesOf(field);
  for (const [index, { value, title: words }] of choices.entries()) {
    printer.quoteError(`  ${index + 1}  ${words === undefined ? value : `${words} (${value})`}`);
  }
  if (field["type"] === "array") {
    printer.fail(printer.palette.dim(line`  You can choose several, separated by commas.`));
  }
}
