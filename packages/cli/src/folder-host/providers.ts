import type { DiagnosticsProvider } from "./diagnostics-provider.ts";
import type { LanguageServerOptions, LinterOptions, ProblemMatcher } from "./provider-options.ts";

// What only some folders need is loaded only for them.

/**
 * A language server, such as `typescript-language-server --stdio`. The languages that it is given
 * may be named before it: `python,cython=pylsp`.
 */
export async function languageServerProvider(
  options: LanguageServerOptions,
): Promise<DiagnosticsProvider> {
  const { LanguageServer } = await import("./language-server/language-server.ts");
  return new LanguageServer(options);
}

/** A linter or compiler that prints what it finds, such as `npx tsc --noEmit`. */
export async function linterProvider(options: LinterOptions): Promise<DiagnosticsProvider> {
  const { Linter } = await import("./linter/linter.ts");
  return new Linter(options);
}

/**
 * Reads what a language server can be set to from JSON text, which may have comments.
 * @throws Error, in words for the person
 */
export async function readServerSettings(text: string): Promise<Readonly<Record<string, unknown>>> {
  const { parseServerSettings } = await import("./language-server/settings.ts");
  return parseServerSettings(text);
}

/** The problem matcher of a name, such as `tsc` or `$eslint-stylish`; undefined when there is none. */
export async function findProblemMatcher(name: string): Promise<ProblemMatcher | undefined> {
  const { namedMatcher } = await import("./linter/parse-matchers.ts");
  return namedMatcher(name);
}

/**
 * Reads problem matchers of VS Code's format from JSON text.
 * @throws Error, in words for the person
 */
export async function readProblemMatchers(text: string): Promise<readonly ProblemMatcher[]> {
  const { parseMatchers } = await import("./linter/parse-matchers.ts");
  return parseMatchers(text);
}
