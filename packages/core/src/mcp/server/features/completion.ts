import type { Call } from "../../../rpc/call.ts";
import { asObject, isObject } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { invalidParams } from "../../refusals.ts";
import type { Caller } from "../caller.ts";
import type { ServerFeature } from "../server-feature.ts";
import type { Completer } from "./completer.ts";

/** The highest number of values in a result. */
const MAX_VALUES = 100;

/** By argument; undefined for one that has no completer. */
export type Completers<Context> = ReadonlyMap<string, Completer<Context> | undefined>;

/** Something that has arguments to complete, as prompts and resource templates have. */
export interface CompletionSource<Context> {
  /** Undefined when the reference belongs to another source. */
  completersOf(reference: Readonly<Record<string, unknown>>): Completers<Context> | undefined;
  readonly hasCompleters: boolean;
}

/**
 * Answers `completion/complete` from the given sources (MCP 2025-11-25, Server / Utilities /
 * Completion). It is a capability since 2025-03-26.
 */
export function completion<Context>(
  sources: readonly CompletionSource<Context>[],
): ServerFeature<Context> {
  return {
    capabilities: ({ completionCapability }) =>
      completionCapability && sources.some(({ hasCompleters }) => hasCompleters)
        ? { completions: {} }
        : {},
    requests: { "completion/complete": (call, caller) => complete(sources, call, caller) },
  };
}

function complete<Context>(
  sources: readonly CompletionSource<Context>[],
  { params }: Call,
  caller: Caller<Context>,
): unknown {
  const { ref, argument, context } = params ?? {};
  const reference = asObject(ref);
  const completers = sources
    .map((source) => source.completersOf(reference))
    .find((found) => found !== undefined);
  if (completers === undefined) throw invalidParams(`ref: unknown, got ${describeValue(ref)}`);
  const { name, value } = asObject(argument);
  if (typeof name !== "string" || typeof value !== "string") {
    throw invalidParams(`argument: expected name and value, got ${describeValue(argument)}`);
  }
  if (!completers.has(name)) throw invalidParams(`argument: unknown, got ${describeValue(name)}`);
  const { completionContext } = caller.traits;
  const known = {
    arguments: completionContext && isObject(context) ? textsOf(context["arguments"]) : {},
    context: caller.context,
  };
  const values = completers.get(name)?.(value, known) ?? [];
  return values instanceof Promise ? values.then(toResult) : toResult(values);
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(asObject(value));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function toResult(all: readonly string[]): unknown {
  const values = all.slice(0, MAX_VALUES);
  return { completion: { values, total: all.length, hasMore: values.length < all.length } };
}
