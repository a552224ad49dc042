import type { Unsubscribe } from "../../../emitter.ts";
import type { Call } from "../../../rpc/call.ts";
import { describeValue, isObject } from "../../../rpc/message.ts";
import { contentIn, describedIn } from "../../in-revision.ts";
import type {
  GetPromptResult,
  PromptArgument,
  PromptArguments,
  PromptDescription,
} from "../../prompts.ts";
import type { Capabilities } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import type { RevisionTraits } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import { NamedList } from "../named-list.ts";
import { pageOf } from "../pagination.ts";
import type { AttachedServer, FeatureHandler, ServerFeature } from "../server-feature.ts";
import type { Completer, Completers, CompletionSource } from "./completion.ts";

/** A prompt of a server. */
export interface Prompt<Context = unknown> extends PromptDescription {
  readonly arguments?: readonly (PromptArgument & { readonly complete?: Completer<Context> })[];
  get(
    args: PromptArguments,
    context: Context,
    call: Call,
  ): GetPromptResult | Promise<GetPromptResult>;
}

export interface PromptsOptions<Context = unknown> {
  readonly prompts?: readonly Prompt<Context>[];
  /** How many entries a page of the list has; all of them by default. */
  readonly pageSize?: number;
}

/** The prompts that a server offers (MCP 2025-11-25, Server / Prompts). */
export class Prompts<Context = unknown>
  implements ServerFeature<Context>, CompletionSource<Context>
{
  readonly requests: Readonly<Record<string, FeatureHandler<Context>>>;
  readonly #pageSize: number | undefined;
  readonly #prompts: NamedList<Prompt<Context>>;
  #server: AttachedServer<Context> | undefined;

  constructor({ prompts, pageSize }: PromptsOptions<Context>) {
    this.#pageSize = pageSize;
    this.#prompts = new NamedList("prompt", ({ name }) => name, prompts);
    this.requests = {
      "prompts/list": (call, { traits }) => this.#list(call, traits),
      "prompts/get": (call, caller) => this.#get(call, caller),
    };
  }

  capabilities(): Capabilities {
    return { prompts: { listChanged: true } };
  }

  attach(server: AttachedServer<Context>): void {
    this.#server = server;
  }

  /**
   * Adds a prompt and notifies every client; the undo removes it again.
   * @throws IdewireError `invalid-argument` when there is a prompt with the name
   */
  add(prompt: Prompt<Context>): Unsubscribe {
    const emit = () => this.#server?.emit("notifications/prompts/list_changed");
    return this.#prompts.add(prompt, emit);
  }

  completersOf({ type, name }: Readonly<Record<string, unknown>>): Completers<Context> | undefined {
    const prompt = type === "ref/prompt" ? this.#prompts.get(name) : undefined;
    if (prompt === undefined) return undefined;
    return new Map(prompt.arguments?.map((argument) => [argument.name, argument.complete]));
  }

  #list({ params }: Call, traits: RevisionTraits): unknown {
    const keyOf = ({ name }: PromptDescription) => name;
    const how = { keyOf, cursor: params?.["cursor"], pageSize: this.#pageSize };
    const { items, ...more } = pageOf(this.#prompts.all, how);
    return { prompts: items.map((prompt) => describe(traits, prompt)), ...more };
  }

  #get(call: Call, { context, traits }: Caller<Context>): unknown {
    const { name, arguments: given } = call.params ?? {};
    const prompt = this.#prompts.get(name);
    if (prompt === undefined) throw invalidParams(`Unknown prompt: ${describeValue(name)}`);
    const result = prompt.get(parseArguments(prompt, given ?? {}), context, call);
    return result instanceof Promise
      ? result.then((late) => resultIn(traits, late))
      : resultIn(traits, result);
  }
}

function describe(traits: RevisionTraits, prompt: Prompt<never>): PromptDescription {
  const { arguments: args, ...description } = describedIn<PromptDescription>(traits, prompt);
  const list = args?.map((argument) => describedIn<PromptArgument>(traits, argument));
  return { ...description, ...(list !== undefined && { arguments: list }) };
}

/** @throws RpcError -32602 for an argument that is missing or not a string */
function parseArguments(prompt: PromptDescription, given: unknown): PromptArguments {
  if (!isObject(given)) {
    throw invalidParams(`arguments: expected object, got ${describeValue(given)}`);
  }
  for (const { name, required } of prompt.arguments ?? []) {
    if (required === true && given[name] === undefined) {
      throw invalidParams(`${name}: expected string, got nothing`);
    }
  }
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") {
      throw invalidParams(`${name}: expected string, got ${describeValue(value)}`);
    }
  }
  return given as PromptArguments;
}

function resultIn(traits: RevisionTraits, result: GetPromptResult): GetPromptResult {
  const messages = result.messages.flatMap((message) =>
    contentIn(traits, [message.content]).map((content) => ({ ...message, content })),
  );
  return { ...result, messages };
}
