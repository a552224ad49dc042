import type { Unsubscribe } from "../../../emitter.ts";
import { IdewireError } from "../../../errors.ts";
import { optionNames, requireFunction, requireKnownOptions, requireText } from "../../../misuse.ts";
import type { Call } from "../../../rpc/call.ts";
import { isObject, methodNotFound } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { contentIn, describedIn } from "../../in-revision.ts";
import type {
  GetPromptResult,
  PromptArgument,
  PromptArguments,
  PromptDescription,
  PromptMessage,
} from "../../prompts.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import type { RevisionTraits } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import { NamedList } from "../named-list.ts";
import { pageOf } from "../pagination.ts";
import { ServerCall } from "../server-call.ts";
import type { FeatureHandler, FeatureOwner, ServerFeature } from "../server-feature.ts";
import type { Completer } from "./completer.ts";
import type { Completers, CompletionSource } from "./completion.ts";

/** An argument of a prompt; its value is a text. */
export interface PromptArgumentOption<Context = unknown> extends Omit<PromptArgument, "name"> {
  readonly complete?: Completer<Context>;
}

/** The arguments of a prompt by name. */
export interface PromptArgumentOptions<Context = unknown> {
  readonly [name: string]: PromptArgumentOption<Context>;
}

/** The definition of a prompt, beside its name and handler. */
export interface PromptOptions<
  Context = unknown,
  Arguments extends PromptArgumentOptions<Context> = PromptArgumentOptions<Context>,
> extends Omit<PromptDescription, "name" | "arguments"> {
  readonly arguments?: Arguments;
}

/** The result of a prompt's handler: the text of a user message, several messages, or a whole result. */
export type PromptAnswer = string | readonly PromptMessage[] | GetPromptResult;

/** Returns the messages of a prompt. */
export type PromptHandler<Context, Arguments> = {
  get(args: ValuesOf<Arguments>, call: ServerCall<Context>): PromptAnswer | Promise<PromptAnswer>;
}["get"];

/** The values of a prompt's arguments: those that are required, and any of the others. */
export type ValuesOf<Arguments> = string extends keyof Arguments
  ? PromptArguments
  : {
      readonly [Name in keyof Arguments as Arguments[Name] extends { readonly required: true }
        ? Name
        : never]: string;
    } & {
      readonly [Name in keyof Arguments as Arguments[Name] extends { readonly required: true }
        ? never
        : Name]?: string;
    };

interface Prompt<Context> {
  readonly description: PromptDescription;
  readonly arguments: PromptArgumentOptions<Context>;
  readonly get: PromptHandler<Context, never>;
}

const names = optionNames<PromptOptions>({
  title: true,
  description: true,
  arguments: true,
  icons: true,
  _meta: true,
});

const argumentNames = optionNames<PromptArgumentOption>({
  title: true,
  description: true,
  required: true,
  complete: true,
});

/** The prompts that a server offers (MCP 2025-11-25, Server / Prompts). */
export class Prompts<Context = unknown>
  implements ServerFeature<Context>, CompletionSource<Context>
{
  readonly requests: Readonly<Record<string, FeatureHandler<Context>>>;
  readonly #prompts: NamedList<Prompt<Context>> = new NamedList(
    "prompt",
    ({ description }) => description.name,
  );
  readonly #server: FeatureOwner<Context>;

  constructor(server: FeatureOwner<Context>) {
    this.#server = server;
    this.requests = {
      "prompts/list": (call, { traits }) => this.#list(call, traits),
      "prompts/get": (call, caller) => this.#get(call, caller),
    };
  }

  capabilities(): Capabilities {
    return this.#prompts.all.length === 0 ? {} : { prompts: { listChanged: true } };
  }

  /** @throws IdewireError `invalid-argument` for a definition that cannot be used, with its name */
  add(
    name: string,
    options: PromptOptions<Context>,
    get: PromptHandler<Context, never>,
  ): Unsubscribe {
    const owner = `prompt ${describeValue(name)}`;
    requireText("prompt", name);
    requireKnownOptions(owner, options, names);
    requireFunction(`${owner}, handler`, get);
    const { arguments: args, ...more } = options;
    const list = Object.entries(args ?? {}).map(([key, argument]) => {
      requireKnownOptions(`${owner}, argument ${describeValue(key)}`, argument, argumentNames);
      const { complete: _, ...described } = argument;
      return { name: key, ...described };
    });
    const description = { name, ...more, ...(args !== undefined && { arguments: list }) };
    const emit = () => this.#server.definitionsChanged("notifications/prompts/list_changed");
    return this.#prompts.add({ description, arguments: args ?? {}, get }, emit);
  }

  completersOf({ type, name }: Readonly<Record<string, unknown>>): Completers<Context> | undefined {
    const prompt = type === "ref/prompt" ? this.#prompts.get(name) : undefined;
    if (prompt === undefined) return undefined;
    const completers = Object.entries(prompt.arguments);
    return new Map(completers.map(([key, { complete }]) => [key, complete]));
  }

  get hasCompleters(): boolean {
    return this.#prompts.all.some((prompt) =>
      Object.values(prompt.arguments).some(({ complete }) => complete !== undefined),
    );
  }

  #list({ method, params }: Call, traits: RevisionTraits): unknown {
    // Legacy clients request lists that were not announced.
    if (traits.stateless && this.#prompts.all.length === 0) return methodNotFound(method);
    const { items, ...more } = pageOf(
      this.#prompts.all.map(({ description }) => description),
      {
        keyOf: ({ name }) => name,
        cursor: params?.["cursor"],
        pageSize: this.#server.pageSize,
      },
    );
    return { prompts: items.map((prompt) => describe(traits, prompt)), ...more };
  }

  #get(message: Call, caller: Caller<Context>): unknown {
    const { name, arguments: given } = message.params ?? {};
    const prompt = this.#prompts.get(name);
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${describeValue(name)}`);
    const { description, get } = prompt;
    const args = parseArguments(description, given ?? {});
    const call = new ServerCall(message, caller, description.name);
    const finish = (answer: PromptAnswer) =>
      resultIn(caller.traits, toResult(description.name, answer));
    return this.#server.run(call, () => {
      const answer = get(args, call);
      return answer instanceof Promise ? answer.then(finish) : finish(answer);
    });
  }
}

function describe(traits: RevisionTraits, prompt: PromptDescription): PromptDescription {
  const { arguments: args, ...description } = describedIn<PromptDescription>(traits, prompt);
  const list = args?.map((argument) => describedIn<PromptArgument>(traits, argument));
  return { ...description, ...(list !== undefined && { arguments: list }) };
}

/**
 * An optional argument that is null is absent.
 * @throws RpcError -32602 for an argument that is missing or not a string
 */
function parseArguments(prompt: PromptDescription, sent: unknown): PromptArguments {
  if (!isObject(sent)) {
    throw invalidParams(`arguments: expected object, got ${describeValue(sent)}`);
  }
  const needed = (prompt.arguments ?? []).filter(({ required }) => required === true);
  const names = needed.map(({ name }) => name);
  for (const name of names) {
    if (sent[name] === undefined) throw invalidParams(`${name}: expected string, got nothing`);
  }
  const given = Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== null || names.includes(name)),
  );
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") {
      throw invalidParams(`${name}: expected string, got ${describeValue(value)}`);
    }
  }
  return given as PromptArguments;
}

/** @throws IdewireError `invalid-argument` for an answer of another kind */
function toResult(name: string, answer: PromptAnswer): GetPromptResult {
  if (typeof answer === "string") {
    return { messages: [{ role: "user", content: { type: "text", text: answer } }] };
  }
  if (Array.isArray(answer)) return { messages: answer as readonly PromptMessage[] };
  if (isObject(answer) && Array.isArray(answer["messages"])) return answer as GetPromptResult;
  throw new IdewireError(
    "invalid-argument",
    `The result of prompt ${describeValue(name)}: expected a string or messages, got ${describeValue(answer)}`,
  );
}

function resultIn(traits: RevisionTraits, result: GetPromptResult): GetPromptResult {
  const messages = result.messages.flatMap((message) =>
    contentIn(traits, [message.content]).map((content) => ({ ...message, content })),
  );
  return { ...result, messages };
}
