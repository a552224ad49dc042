/** The context of a completion. */
export interface CompletionContext<Context> {
  /** The arguments that are already set; empty before 2025-06-18. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly context: Context;
}

/** Returns the possible values for a typed text, best first. */
export type Completer<Context = unknown> = {
  complete(
    value: string,
    known: CompletionContext<Context>,
  ): readonly string[] | Promise<readonly string[]>;
}["complete"];
